import { useVirtualizer } from "@tanstack/react-virtual";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import { useMemo, useRef, useState } from "react";
import { type Comparison, rowKinds } from "../../../lib/diff/compare-lines.ts";
import { countDiff, type DiffItem, differences, diffItems, partingRow } from "../../../lib/diff/items.ts";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { Switch } from "../../../ui/Choices.tsx";
import { cx } from "../../../ui/cx.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { DiffLine, type DiffSide } from "./DiffLine.tsx";

type Props = {
  a: DiffSide;
  b: DiffSide;
  comparison: Comparison | null;
  hasFailed: boolean;
  even: boolean;
  showsAll: boolean;
  onEven: (even: boolean) => void;
  onShowAll: (all: boolean) => void;
};

const line = 20;
const fold = 28;

/** Two logs beside each other; only what is in view exists as elements. */
export function LogDiff(props: Props) {
  const { a, b, comparison, hasFailed, even, showsAll } = props;
  const isStacked = useMedia(phone);
  const scroller = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const items = useMemo(
    () => (comparison === null ? [] : showsAll ? allRows(comparison) : diffItems(comparison, opened)),
    [comparison, showsAll, opened],
  );
  const steps = useMemo(() => (comparison ? differences(items, comparison) : []), [items, comparison]);
  const heightOf = (item: DiffItem | undefined) => {
    if (!item || !comparison) return line;
    if (item.kind === "fold") return fold;
    const isPair =
      comparison.kinds[item.row] !== rowKinds.same &&
      comparison.rows[item.row * 2] !== -1 &&
      comparison.rows[item.row * 2 + 1] !== -1;
    return (item.isParting ? fold : 0) + (isStacked && isPair ? line * 2 : line);
  };
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(items[at]),
    getItemKey: (at) => `${items[at]?.kind} ${items[at]?.row}`,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  // The row of the difference that was stepped to: rows stay when folds are opened.
  const [current, setCurrent] = useState(-1);
  // After the last difference comes the first one again.
  const rowOf = (index: number | undefined) => (index === undefined ? undefined : items[index]?.row) ?? -1;
  const step = (by: 1 | -1) => {
    const next =
      by === 1
        ? (steps.find((one) => rowOf(one) > current) ?? steps[0])
        : (steps.findLast((one) => rowOf(one) < current) ?? steps.at(-1));
    if (next === undefined) return;
    setCurrent(rowOf(next));
    rows.scrollToIndex(next, { align: "center" });
  };
  const isCurrent = (item: DiffItem) => item.kind === "row" && item.row === current;
  const isOnlyOne = steps.length === 1 && rowOf(steps[0]) === current;
  const noStep =
    steps.length === 0 ? "No line differs" : isOnlyOne ? "This is the only difference" : undefined;
  useShortcuts([
    { keys: "]", does: "Next difference", run: () => step(1) },
    { keys: "[", does: "Previous difference", run: () => step(-1) },
  ]);

  return (
    <section aria-label="Logs" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-filters shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 pr-edge-right pl-edge-left">
        <h3 className="font-semibold">Log</h3>
        <p className="min-w-0 flex-1 truncate text-muted text-secondary">
          {comparison ? countWords(comparison) : hasFailed ? "" : "lining up…"}
        </p>
        <Switch
          label={isStacked ? "Even out" : "Even out times and ids"}
          labelAt="before"
          checked={even}
          onChange={(event) => props.onEven(event.target.checked)}
        />
        <Segmented
          label="Lines"
          value={showsAll ? "all" : "differences"}
          options={[
            { value: "all", label: "All" },
            { value: "differences", label: "Differences" },
          ]}
          onChange={(value) => props.onShowAll(value === "all")}
        />
        <span className="flex max-sm:hidden">
          <IconButton
            size="small"
            label="Previous difference"
            shortcut="["
            disabledReason={noStep}
            onClick={() => step(-1)}
          >
            <ChevronUp />
          </IconButton>
          <IconButton
            size="small"
            label="Next difference"
            shortcut="]"
            disabledReason={noStep}
            onClick={() => step(1)}
          >
            <ChevronDown />
          </IconButton>
        </span>
      </header>
      {hasFailed && (
        <p className="p-5 text-muted">
          The logs could not be lined up: this browser gave up on them. Each run shows its own.
        </p>
      )}
      {comparison && !comparison.isLinedUp && (
        <p className="border-b px-edge-left py-2 text-muted text-secondary">
          These logs have too little in common to be lined up; they are shown line by line.
        </p>
      )}
      <section
        ref={scroller}
        aria-label="Lines of both logs"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard, so it has to take the focus
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-y-auto bg-surface-sunken"
      >
        {comparison && items.length === 0 && <p className="p-5 text-muted">Neither run wrote a log.</p>}
        <div className="relative" style={{ height: `${rows.getTotalSize()}px` }}>
          {rows.getVirtualItems().map((virtual) => {
            const item = items[virtual.index];
            if (!item || !comparison) return null;
            return (
              <div
                key={virtual.key}
                ref={rows.measureElement}
                data-index={virtual.index}
                aria-current={isCurrent(item) || undefined}
                className={cx("absolute inset-x-0", isCurrent(item) && currentEdge)}
                style={{ top: `${virtual.start}px` }}
              >
                {item.kind === "fold" ? (
                  <button
                    type="button"
                    onClick={() => setOpened(new Set([...opened, item.row]))}
                    className="focus-inset flex h-7 w-full items-center gap-2 border-y bg-surface pl-9 text-muted text-secondary hover:text-default"
                  >
                    <ChevronsUpDown />
                    {counted(item.count, "line that says the same", "lines that say the same")}
                  </button>
                ) : (
                  <>
                    {item.isParting && (
                      <p className="flex h-7 items-center border-state-failed-line border-y border-l-2 border-l-state-failed-mark bg-surface pl-9 text-secondary text-state-failed-fg">
                        From here on they do different things
                      </p>
                    )}
                    <DiffLine
                      a={a}
                      b={b}
                      lineA={comparison.rows[item.row * 2] ?? -1}
                      lineB={comparison.rows[item.row * 2 + 1] ?? -1}
                      kind={comparison.kinds[item.row] ?? rowKinds.same}
                      even={even}
                      isStacked={isStacked}
                    />
                  </>
                )}
              </div>
            );
          })}
        </div>
      </section>
    </section>
  );
}

const currentEdge = "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent-solid";

function allRows(comparison: Comparison): readonly DiffItem[] {
  const parting = partingRow(comparison);
  return Array.from(comparison.kinds, (_, row) => ({ kind: "row", row, isParting: row === parting }));
}

function countWords(comparison: Comparison): string {
  const { differ, onlyA, onlyB } = countDiff(comparison);
  if (differ + onlyA + onlyB === 0) return "no line differs";
  const words: string[] = [];
  if (differ > 0) words.push(counted(differ, "line differs", "lines differ"));
  if (onlyA > 0) words.push(counted(onlyA, "only in A", "only in A"));
  if (onlyB > 0) words.push(counted(onlyB, "only in B", "only in B"));
  return words.join(", ");
}
