import { useVirtualizer } from "@tanstack/react-virtual";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { type Comparison, rowKinds } from "../../../lib/diff/compare-lines.ts";
import {
  changedWords,
  countDiff,
  type DiffItem,
  differences,
  diffItems,
  type Words,
} from "../../../lib/diff/items.ts";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { counted } from "../../../lib/words.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import type { Kind } from "../kind.ts";
import { copyOf, useOpened, useRows } from "../preview/useOpenedFile.ts";
import { FileFailure, FileTroubled, limitsOf, Reading, useFileBytes } from "../preview/view.tsx";
import { looksBinary, shownInvisible } from "../read-file.ts";
import type { FileClient, OpenedFile } from "../worker/file-client.ts";
import type { FileVersion } from "./useVersions.ts";

type Props = {
  /** The earlier one. */
  a: FileVersion;
  b: FileVersion;
  kind: Kind;
  name: string;
};

const { ask } = limitsOf("text");

/** Two versions of a text beside each other, lined up. JSON is laid out first, so that only what it says counts. */
export function VersionDiff({ a, b, kind, name }: Props) {
  const isBig = Math.max(a.size ?? 0, b.size ?? 0) > ask;
  const [isWanted, setWanted] = useState(false);
  if (isBig && !isWanted) {
    return (
      <p className="flex items-center gap-3 p-5 text-muted">
        These versions are big: lining them up may take a while.
        <Button size="small" onClick={() => setWanted(true)}>
          Compare anyway
        </Button>
      </p>
    );
  }
  return <Compared key={`${a.key} ${b.key}`} {...{ a, b, kind, name }} />;
}

function Compared({ a, b, kind, name }: Props) {
  const { most } = limitsOf("text");
  const readA = useFileBytes(a, most).read;
  const readB = useFileBytes(b, most).read;
  const bytesA = readA.data?.bytes;
  const bytesB = readB.data?.bytes;
  const isBinary = [bytesA, bytesB].some((bytes) => bytes !== undefined && looksBinary(bytes));
  const start = useMemo(() => {
    if (!bytesA || !bytesB || isBinary) return null;
    return (client: FileClient) => client.compare(copyOf(bytesA), copyOf(bytesB), kind === "json");
  }, [bytesA, bytesB, isBinary, kind]);
  const { file, trouble } = useOpened(start);
  for (const read of [readA, readB]) {
    if (read.isError) return <FileFailure read={read} />;
  }
  if (trouble || isBinary) return <FileTroubled why={trouble ?? "broken"} />;
  if (!file?.comparison) return <Reading />;
  return <Lines file={file} comparison={file.comparison} a={a} b={b} name={name} />;
}

const line = 20;
const fold = 28;

type LinesProps = { file: OpenedFile; comparison: Comparison; a: FileVersion; b: FileVersion; name: string };

function Lines({ file, comparison, a, b, name }: LinesProps) {
  const isStacked = useMedia(phone);
  const scroller = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const items = useMemo(() => diffItems(comparison, opened), [comparison, opened]);
  const steps = useMemo(() => differences(items, comparison), [items, comparison]);
  const left = useRows(file, 0);
  const right = useRows(file, 1);
  const sides = (row: number) =>
    [comparison.rows[row * 2] ?? -1, comparison.rows[row * 2 + 1] ?? -1] as const;
  const isPair = (row: number) => comparison.kinds[row] !== rowKinds.same && !sides(row).includes(-1);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(items[at]),
    getItemKey: (at) => `${items[at]?.kind} ${items[at]?.row}`,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  const heightOf = (item: DiffItem | undefined) =>
    item?.kind === "fold" ? fold : item && isStacked && isPair(item.row) ? line * 2 : line;
  const shown = rows.getVirtualItems();
  useEffect(() => {
    for (const { index } of shown) {
      const item = items[index];
      if (item?.kind !== "row") continue;
      const [inA, inB] = sides(item.row);
      if (inA !== -1) left.want(inA, inA + 1);
      if (inB !== -1) right.want(inB, inB + 1);
    }
  });
  const at = useRef(-1);
  const step = (by: 1 | -1) => {
    const next = by === 1 ? steps.find((one) => one > at.current) : steps.findLast((one) => one < at.current);
    if (next === undefined) return;
    at.current = next;
    rows.scrollToIndex(next, { align: "center" });
  };
  useShortcuts([
    { keys: "]", does: "Next difference", run: () => step(1) },
    { keys: "[", does: "Previous difference", run: () => step(-1) },
  ]);
  const textOf = (of: typeof left, row: number) =>
    row === -1 ? null : shownInvisible((of.rowAt(row)?.[0] ?? "").slice(0, 2_000));
  return (
    <>
      <div className="flex min-h-filters shrink-0 items-center gap-3 border-b py-2 pr-edge-right pl-edge-left">
        <p className="min-w-0 flex-1 truncate text-muted text-secondary">
          {countWords(comparison) || "These two versions say the same."}
        </p>
        {steps.length > 0 && (
          <span className="flex">
            <IconButton size="small" label="Previous difference" shortcut="[" onClick={() => step(-1)}>
              <ChevronUp />
            </IconButton>
            <IconButton size="small" label="Next difference" shortcut="]" onClick={() => step(1)}>
              <ChevronDown />
            </IconButton>
          </span>
        )}
      </div>
      {!comparison.isLinedUp && (
        <p className="border-b px-edge-left py-2 text-muted text-secondary">
          These versions have too little in common to be lined up; they are shown line by line.
        </p>
      )}
      {!isStacked && (
        <div className="grid shrink-0 grid-cols-2 border-b text-muted text-secondary">
          <p className="py-1.5 pl-edge-left">Version {a.number ?? "before"}</p>
          <p className="border-l py-1.5 pl-4">Version {b.number ?? "after"}</p>
        </div>
      )}
      <section
        ref={scroller}
        aria-label={`Lines of both versions of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-y-auto bg-surface-sunken [contain:strict]"
      >
        <div className="relative" style={{ height: `${rows.getTotalSize()}px` }}>
          {shown.map((virtual) => {
            const item = items[virtual.index];
            if (!item) return null;
            return (
              <div
                key={virtual.key}
                ref={rows.measureElement}
                data-index={virtual.index}
                className="absolute inset-x-0"
                style={{ top: `${virtual.start}px` }}
              >
                {item.kind === "fold" ? (
                  <Fold count={item.count} onOpen={() => setOpened(new Set([...opened, item.row]))} />
                ) : (
                  <Pair
                    kind={comparison.kinds[item.row] ?? rowKinds.same}
                    lines={sides(item.row)}
                    a={textOf(left, sides(item.row)[0])}
                    b={textOf(right, sides(item.row)[1])}
                    isStacked={isStacked}
                  />
                )}
              </div>
            );
          })}
        </div>
      </section>
    </>
  );
}

function Fold({ count, onOpen }: { count: number; onOpen: () => void }): ReactNode {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="focus-inset flex h-7 w-full items-center gap-2 border-y bg-surface pl-edge-left text-muted text-secondary hover:text-default"
    >
      <ChevronsUpDown />
      {counted(count, "line that is the same", "lines that are the same")}
    </button>
  );
}

type PairProps = {
  kind: number;
  /** 0-based; -1 where that side has none. */
  lines: readonly [number, number];
  a: string | null;
  b: string | null;
  isStacked: boolean;
};

function Pair({ kind, lines, a, b, isStacked }: PairProps) {
  const isSame = kind === rowKinds.same;
  const marks = !isSame && a !== null && b !== null ? changedWords(a, b) : null;
  const halfA = <Half line={lines[0]} words={marks?.a ?? [[a ?? "", false]]} tint={isSame ? null : "del"} />;
  const halfB = <Half line={lines[1]} words={marks?.b ?? [[b ?? "", false]]} tint={isSame ? null : "add"} />;
  if (!isStacked) {
    return (
      <div className="grid grid-cols-2">
        {halfA}
        <div className="min-w-0 border-l">{halfB}</div>
      </div>
    );
  }
  if (isSame) return halfB;
  return (
    <>
      {lines[0] !== -1 && halfA}
      {lines[1] !== -1 && halfB}
    </>
  );
}

const tints = {
  del: { line: "bg-diff-del-bg", word: "bg-diff-del-strong" },
  add: { line: "bg-diff-add-bg", word: "bg-diff-add-strong" },
};

function Half({
  line: number,
  words,
  tint,
}: {
  line: number;
  words: Words;
  tint: keyof typeof tints | null;
}) {
  if (number === -1) return <div className="h-full min-h-5 bg-surface-pressed" />;
  return (
    <div className={cx("flex h-full min-h-5 min-w-0 text-mono", tint && tints[tint].line)}>
      <span className="w-14 shrink-0 select-none pr-3 text-right text-faint tabular-nums">{number + 1}</span>
      <span className="min-w-0 flex-1 whitespace-pre-wrap break-words pr-3">
        {tint && <span className="sr-only">{tint === "del" ? "Before: " : "After: "}</span>}
        {words.map(([text, isChanged], at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: words of one line never move
            key={at}
            className={isChanged && tint ? cx("rounded-[2px]", tints[tint].word) : undefined}
          >
            {text}
          </span>
        ))}
      </span>
    </div>
  );
}

/** Empty where nothing differs. */
function countWords(comparison: Comparison): string {
  const { differ, onlyA, onlyB } = countDiff(comparison);
  return [
    differ > 0 && `${counted(differ, "line")} changed`,
    onlyB > 0 && counted(onlyB, "added", "added"),
    onlyA > 0 && counted(onlyA, "removed", "removed"),
  ]
    .filter(Boolean)
    .join(", ");
}
