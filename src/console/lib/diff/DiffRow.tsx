import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { counted } from "../words.ts";
import { type Comparison, rowKinds } from "./compare-lines.ts";
import { type DiffItem, linesOf } from "./items.ts";
import { changedWords, MarkedWords, type ShownPart, shownParts, type Words } from "./words.tsx";

export type DiffSide = "a" | "b";

/** How the lines of a comparison are drawn. */
export interface DiffLook {
  /** A 0-based line; empty while it is on its way. */
  readonly textOf: (side: DiffSide, line: number) => string;
  /** What stands beside a line; its number where this is not given. */
  readonly numberOf?: (side: DiffSide, line: number) => ReactNode;
  readonly write?: (text: string) => ReactNode;
  /** What a line of one side alone is called, for those who listen. */
  readonly names: Readonly<Record<DiffSide, string>>;
  /** Equal lines stay on one line, however long they are. */
  readonly cutsSame?: boolean;
  /** Stands over the first row in which the two do different things. */
  readonly parting?: ReactNode;
}

type Props = {
  comparison: Comparison;
  item: DiffItem;
  look: DiffLook;
  /** One below the other with a sign, where there is no room for both beside each other. */
  isUnified: boolean;
  onOpen: () => void;
};

/** What of a line is drawn; a line may be megabytes long. */
const drawn = 2_000;

/** One item of a comparison: two lines with what differs marked, or equal lines folded. */
export function DiffRow({ comparison, item, look, isUnified, onOpen }: Props) {
  if (item.kind === "fold") {
    return (
      <button
        type="button"
        onClick={onOpen}
        className="focus-inset flex h-7 w-full items-center gap-2 border-y bg-surface pl-9 font-text text-muted text-secondary hover:text-default"
      >
        <ChevronsUpDown />
        {counted(item.count, "unchanged line", "unchanged lines")}
      </button>
    );
  }
  const [lineA, lineB] = linesOf(comparison, item.row);
  const kind = comparison.kinds[item.row];
  const isSame = kind === rowKinds.same;
  const read = (side: DiffSide, line: number) => (line === -1 ? "" : look.textOf(side, line));
  const [textA, textB] = [read("a", lineA), read("b", lineB)];
  const parts = isSame ? { a: begin(textA), b: begin(textB) } : shownParts(textA, textB, drawn);
  const marks = kind === rowKinds.values ? changedWords(parts.a.text, parts.b.text) : null;
  const half = (side: DiffSide, lines: Numbers) => (
    <Half side={side} lines={lines} isSame={isSame} part={parts[side]} words={marks?.[side]} look={look} />
  );
  return (
    <>
      {item.isParting && look.parting !== undefined && (
        <p className="flex h-7 items-center border-state-failed-line border-y border-l-2 border-l-state-failed-mark bg-surface pl-9 font-text text-secondary text-state-failed-fg">
          {look.parting}
        </p>
      )}
      {!isUnified ? (
        <div className="grid grid-cols-2">
          {half("a", { a: lineA })}
          <div className="min-w-0 border-l">{half("b", { b: lineB })}</div>
        </div>
      ) : isSame ? (
        half("b", { a: lineA, b: lineB })
      ) : (
        <>
          {lineA !== -1 && half("a", { a: lineA, b: -1 })}
          {lineB !== -1 && half("b", { a: -1, b: lineB })}
        </>
      )}
    </>
  );
}

const begin = (text: string): ShownPart => ({ text: text.slice(0, drawn), before: 0, after: 0 });

/** The numbers that stand beside a line; -1: that side has none. */
type Numbers = Partial<Record<DiffSide, number>>;

const tints = {
  a: { line: "bg-diff-del-bg", word: "bg-diff-del-strong", sign: "−" },
  b: { line: "bg-diff-add-bg", word: "bg-diff-add-strong", sign: "+" },
};

type HalfProps = {
  side: DiffSide;
  lines: Numbers;
  isSame: boolean;
  part: ShownPart;
  words: Words | undefined;
  look: DiffLook;
};

function Half({ side, lines, isSame, part, words, look }: HalfProps) {
  const sides = (["a", "b"] as const).filter((one) => lines[one] !== undefined);
  const isUnified = sides.length > 1;
  if (lines[side] === -1) return <div className="h-full min-h-5 bg-surface-pressed" />;
  const Edit = isSame ? "span" : side === "a" ? "del" : "ins";
  const { line, word, sign } = tints[side];
  return (
    <div className={cx("flex h-full min-h-5 min-w-0", !isSame && line)}>
      {sides.map((one) => {
        const at = lines[one] ?? -1;
        return (
          <span
            key={one}
            className={cx(
              "w-12 shrink-0 select-none pr-2.5 text-right text-faint tabular-nums",
              // On phones there is room for the number of its own side.
              isUnified && one !== side && "max-sm:hidden",
            )}
          >
            {at === -1 ? "" : (look.numberOf?.(one, at) ?? at + 1)}
          </span>
        );
      })}
      {isUnified && (
        <span className="w-5 shrink-0 text-center text-muted" aria-hidden="true">
          {isSame ? "" : sign}
        </span>
      )}
      <Edit
        className={cx(
          "min-w-0 flex-1 pr-3 no-underline",
          isSame && look.cutsSame
            ? "truncate whitespace-pre"
            : "whitespace-pre-wrap break-words [overflow-wrap:anywhere]",
        )}
      >
        {!isSame && <span className="sr-only">{look.names[side]}: </span>}
        {!isSame && part.text === "" && <span className="text-faint">(empty line)</span>}
        <MarkedWords part={part} words={words} tint={word} write={look.write} />
      </Edit>
    </div>
  );
}
