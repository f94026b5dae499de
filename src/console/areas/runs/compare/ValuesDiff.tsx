import { type ReactNode, useState } from "react";
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

/** Inputs or outputs of two runs: those that differ beside each other and whole, equal ones said once and cut. */
export function ValuesDiff({ title, remark, rows }: Props) {
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
          <thead className={cx(rows.every((row) => row.isSame) && "sr-only")}>
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
            {rows.map((row) => (
              <tr key={row.name} className={cx("align-baseline", !row.isSame && "bg-state-stopped-bg")}>
                <th
                  scope="row"
                  title={row.name}
                  className={cx(
                    "py-[3px] pr-2 pl-edge-left text-left font-normal text-mono-narrow text-muted",
                    row.isSame ? "truncate" : "[overflow-wrap:anywhere]",
                  )}
                >
                  {row.name}
                </th>
                {row.isSame ? (
                  <td colSpan={2} className="truncate py-[3px] pr-4" title={wordOf(row.a)}>
                    {wordOf(row.a).slice(0, 80)} <span className="text-muted">in both</span>
                  </td>
                ) : (
                  <Different row={row} />
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Different({ row }: { row: ValueRow }) {
  const [isWhole, setWhole] = useState(false);
  const parts = shownParts(valueWord(row.a), valueWord(row.b), isWhole ? mostShown : shown);
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
  return (
    <>
      <Cell value={row.a} part={parts.a} words={wordsOf("a")} tint="bg-diff-del-strong">
        {more}
      </Cell>
      <Cell value={row.b} part={parts.b} words={wordsOf("b")} tint="bg-diff-add-strong" isLast />
    </>
  );
}

type CellProps = {
  value: unknown;
  part: ShownPart;
  words: Words;
  tint: string;
  isLast?: boolean;
  children?: ReactNode;
};

function Cell({ value, part, words, tint, isLast = false, children }: CellProps) {
  if (value === undefined) return <td className={cx("py-[3px] text-muted", isLast && "pr-4")}>none</td>;
  return (
    <td
      className={cx(
        "whitespace-pre-wrap break-words py-[3px] pr-2 font-medium [overflow-wrap:anywhere]",
        isLast && "pr-4",
      )}
    >
      {part.text === "" && part.before === 0 ? (
        <span className="text-muted">empty</span>
      ) : (
        <MarkedWords part={part} words={words} tint={tint} />
      )}
      {children}
    </td>
  );
}

const wordOf = (value: unknown): string => valueWord(value).slice(0, shownOfSame);
