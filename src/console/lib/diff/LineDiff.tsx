import { useVirtualizer } from "@tanstack/react-virtual";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { phone, useMedia } from "../useMedia.ts";
import { type Comparison, rowKinds } from "./compare-lines.ts";
import { type DiffLook, DiffRow, type DiffSide } from "./DiffRow.tsx";
import { type CountWords, type DiffItem, diffItems, linesOf, sayCounts } from "./items.ts";
import { useDifferenceSteps } from "./useDifferenceSteps.ts";

type Props = {
  /** Null while it is made. */
  comparison: Comparison | null;
  /** What is compared: "logs". */
  what: string;
  label: string;
  title?: ReactNode;
  counts: CountWords;
  /** Said in the place of the counts while there is no comparison. */
  waiting?: string;
  /** More ways to look at it, in the head. */
  controls?: ReactNode;
  /** Over the two columns. */
  heads?: readonly [ReactNode, ReactNode];
  /** Nothing is folded. */
  showsAll?: boolean;
  look: DiffLook;
  /** Told which lines are in view, where they have to be fetched. */
  onView?: (side: DiffSide, line: number) => void;
  /** What is said where neither side has a line. */
  empty: string;
  children?: ReactNode;
};

const line = 20;
const fold = 28;

/** Two lists of lines beside each other, on phones one below the other; only what is in view exists as elements. */
export function LineDiff(props: Props) {
  const { comparison, what, label, title, counts, waiting = "", controls, heads, look, onView } = props;
  const isUnified = useMedia(phone);
  const scroller = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const shownFolds = props.showsAll ? "all" : opened;
  const items = useMemo(
    () => (comparison === null ? [] : diffItems(comparison, shownFolds)),
    [comparison, shownFolds],
  );
  const heightOf = (item: DiffItem | undefined) => {
    if (!item || !comparison) return line;
    if (item.kind === "fold") return fold;
    const isPair =
      comparison.kinds[item.row] !== rowKinds.same && !linesOf(comparison, item.row).includes(-1);
    return (
      (item.isParting && look.parting !== undefined ? fold : 0) + (isUnified && isPair ? line * 2 : line)
    );
  };
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(items[at]),
    getItemKey: (at) => `${items[at]?.kind} ${items[at]?.row}`,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  const shown = rows.getVirtualItems();
  useEffect(() => {
    if (!onView || !comparison) return;
    for (const { index } of shown) {
      const item = items[index];
      if (item?.kind !== "row") continue;
      const [a, b] = linesOf(comparison, item.row);
      if (a !== -1) onView("a", a);
      if (b !== -1) onView("b", b);
    }
  });
  const { toPrevious, toNext, noStep, isCurrent } = useDifferenceSteps(items, comparison, (index) =>
    rows.scrollToIndex(index, { align: "center" }),
  );

  return (
    <>
      <header className="flex min-h-filters shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 pr-edge-right pl-edge-left">
        {title}
        <p className="min-w-0 flex-1 truncate text-muted text-secondary">
          {comparison ? sayCounts(comparison, counts) : waiting}
        </p>
        {controls}
        <span className={cx("flex", controls !== undefined && "max-sm:hidden")}>
          <IconButton size="small" disabledReason={noStep} {...toPrevious}>
            <ChevronUp />
          </IconButton>
          <IconButton size="small" disabledReason={noStep} {...toNext}>
            <ChevronDown />
          </IconButton>
        </span>
      </header>
      {props.children}
      {comparison && !comparison.isLinedUp && (
        <p className="border-b px-edge-left py-2 text-muted text-secondary">
          These {what} have too little in common to align; they are shown line by line.
        </p>
      )}
      {!isUnified && heads !== undefined && (
        <div className="grid shrink-0 grid-cols-2 border-b text-muted text-secondary">
          <p className="py-1.5 pl-edge-left">{heads[0]}</p>
          <p className="border-l py-1.5 pl-4">{heads[1]}</p>
        </div>
      )}
      <section
        ref={scroller}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard, so it has to take the focus
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-y-auto bg-surface-sunken text-mono [contain:strict]"
      >
        {comparison && items.length === 0 && (
          <p className="p-5 font-text text-body text-muted">{props.empty}</p>
        )}
        <div className="relative" style={{ height: `${rows.getTotalSize()}px` }}>
          {shown.map(({ key, index, start }) => {
            const item = items[index];
            if (!item || !comparison) return null;
            return (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-current={isCurrent(item) || undefined}
                className={cx("absolute inset-x-0", isCurrent(item) && currentEdge)}
                style={{ top: `${start}px` }}
              >
                <DiffRow
                  comparison={comparison}
                  item={item}
                  look={look}
                  isUnified={isUnified}
                  onOpen={() => setOpened(new Set([...opened, item.row]))}
                />
              </div>
            );
          })}
        </div>
      </section>
    </>
  );
}

const currentEdge = "before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent-solid";
