import { type ReactNode, useMemo, useState } from "react";
import {
  changedWords,
  MarkedWords,
  type ShownPart,
  shownParts,
  type Words,
} from "../../../lib/diff/words.tsx";
import { cx } from "../../../ui/cx.ts";
import { plainLinkClass } from "../../../ui/textClass.ts";
import { valueWord } from "../run-row.ts";
import type { ValueRow } from "./compare.ts";

type Props = {
  title: string;
  /** What there is to say of all of them, in a few words. */
  remark: ReactNode;
  rows: readonly ValueRow[];
};

/** Characters of an equal value; of one that differs at first, and when more is asked for. */
const shownOfSame = 400;
const shown = 600;
const mostShown = 20_000;
/** Texts up to so many characters have room beside each other. */
const mostBeside = 60;

/** Inputs or outputs of two runs: those that differ whole, beside or below each other; equal ones said once and cut. */
export function ValuesDiff({ title, remark, rows: values }: Props) {
  const rows = useMemo(() => values.map(worded), [values]);
  return (
    <section aria-label={title} className="border-b py-3.5">
      <header className="flex items-baseline gap-2.5 pr-edge-right pb-1.5 pl-edge-left">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-muted text-secondary">{remark}</p>
      </header>
      {rows.length > 0 && (
        <table
          aria-label={`${title} of both runs`}
          className="w-full table-fixed border-separate border-spacing-0"
        >
          <thead className={cx(rows.every((row) => row.isSame || row.isLong) && "sr-only")}>
            <tr className="text-left text-muted text-secondary">
              <th scope="col" className="w-[112px] pl-edge-left font-normal">
                <span className="sr-only">Name</span>
              </th>
              <th scope="col" className="font-normal">
                A
              </th>
              <th scope="col" className="pr-4 font-normal">
                B
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) =>
              row.isSame ? <Same key={row.name} row={row} /> : <Different key={row.name} row={row} />,
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** A row with its values as text, which takes a while where they are large. */
type WordedRow = ReturnType<typeof worded>;

function worded(row: ValueRow) {
  const [a, b] = [valueWord(row.a), valueWord(row.b)];
  return {
    ...row,
    words: { a, b },
    isLong: [a, b].some((it) => it.length > mostBeside || it.includes("\n")),
  };
}

/** @param rows over how many rows of the table it reaches */
function Name({ row, rows }: { row: WordedRow; rows?: number }) {
  return (
    <th
      scope="row"
      rowSpan={rows}
      title={row.name}
      className={cx(
        "py-[3px] pr-2 pl-edge-left text-left font-normal text-mono-narrow text-muted",
        row.isSame ? "truncate" : "[overflow-wrap:anywhere]",
      )}
    >
      {row.name}
    </th>
  );
}

function Same({ row }: { row: WordedRow }) {
  return (
    <tr className="align-baseline">
      <Name row={row} />
      <td colSpan={2} className="truncate py-[3px] pr-4" title={row.words.a.slice(0, shownOfSame)}>
        {row.words.a.slice(0, 80)} <span className="text-muted">in both</span>
      </td>
    </tr>
  );
}

function Different({ row }: { row: WordedRow }) {
  const [isWhole, setWhole] = useState(false);
  const parts = shownParts(row.words.a, row.words.b, isWhole ? mostShown : shown);
  const has = row.a !== undefined && row.b !== undefined;
  const marks = has ? changedWords(parts.a.text, parts.b.text) : null;
  // With too little in common all of it differs.
  const wordsOf = (side: "a" | "b"): Words => marks?.[side] ?? [[parts[side].text, has]];
  const isCut = [parts.a, parts.b].some(({ before, after }) => before + after > 0);
  const more = isCut && !isWhole && (
    <button
      type="button"
      className={cx(plainLinkClass, "block text-secondary")}
      onClick={() => setWhole(true)}
    >
      Show more
    </button>
  );
  const a = { value: row.a, part: parts.a, words: wordsOf("a"), tint: "bg-diff-del-strong" };
  const b = { value: row.b, part: parts.b, words: wordsOf("b"), tint: "bg-diff-add-strong" };
  const rowClass = "bg-state-stopped-bg align-baseline";
  if (row.isLong)
    return (
      <>
        <tr className={rowClass}>
          <Name row={row} rows={2} />
          <Cell {...a} side="A" />
        </tr>
        <tr className={rowClass}>
          <Cell {...b} side="B">
            {more}
          </Cell>
        </tr>
      </>
    );
  return (
    <tr className={rowClass}>
      <Name row={row} />
      <Cell {...a} />
      <Cell {...b} isLast />
    </tr>
  );
}

type CellProps = {
  value: unknown;
  part: ShownPart;
  words: Words;
  tint: string;
  /** Of which run it is, where it has the width of both columns. */
  side?: "A" | "B";
  isLast?: boolean;
  children?: ReactNode;
};

function Cell({ value, part, words, tint, side, isLast = side !== undefined, children }: CellProps) {
  const isNone = value === undefined;
  return (
    <td
      colSpan={side && 2}
      className={cx(
        "py-[3px]",
        isLast ? "pr-4" : "pr-2",
        isNone ? "text-muted" : "whitespace-pre-wrap break-words font-medium [overflow-wrap:anywhere]",
      )}
    >
      {side && (
        <span className="font-normal text-muted">
          {side}
          {"  "}
        </span>
      )}
      {isNone ? (
        "none"
      ) : part.text === "" && part.before === 0 ? (
        <span className="text-muted">empty</span>
      ) : (
        <MarkedWords part={part} words={words} tint={tint} />
      )}
      {children}
    </td>
  );
}
