import { useMemo, useState } from "react";
import { type DiffRow, diffText } from "../../../lib/diff/text-diff.ts";
import { Button } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";

type Props = {
  before: string;
  after: string /** Its name for those who listen. */;
  label: string;
  isMono?: boolean;
};

/** Around a difference so many equal lines stay in view; longer runs fold. */
const around = 3;
const shortest = 4;
/** Lines that are drawn at once; more come on demand, so that a text of any length can be looked at. */
const most = 1_000;

/** Two texts line by line, with the words that differ. */
export function TextDiff({ before, after, label, isMono = false }: Props) {
  const rows = useMemo(() => diffText(before, after), [before, after]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(most);
  if (rows === null) {
    return <p className="text-muted">The two texts differ in too many places to be lined up.</p>;
  }
  if (rows.every((row) => row.kind === "same")) {
    return <p className="text-muted">Only line breaks at the ends of lines differ.</p>;
  }
  const parts = fold(rows, opened);
  return (
    <section aria-label={label} className={cx("overflow-x-auto border-y", isMono && "text-mono")}>
      {parts.slice(0, shown).map((part) =>
        part.kind === "fold" ? (
          <button
            key={`fold ${part.start}`}
            type="button"
            className="focus-inset block w-full bg-surface-sunken py-1 pl-[92px] text-left font-sans text-muted text-secondary hover:text-default"
            onClick={() => setOpened(new Set([...opened, part.start]))}
          >
            {part.count} lines that are the same
          </button>
        ) : (
          <Line key={`${part.row.kind} ${part.row.before} ${part.row.after}`} row={part.row} />
        ),
      )}
      {parts.length > shown && (
        <Button size="small" variant="quiet" onClick={() => setShown(shown + most)}>
          Show more of {parts.length - shown} lines
        </Button>
      )}
    </section>
  );
}

const looks = {
  same: "",
  added: "bg-diff-add-bg",
  removed: "bg-diff-del-bg",
};
const words = { same: "", added: "added", removed: "removed" };

function Line({ row }: { row: DiffRow }) {
  const Edit = row.kind === "added" ? "ins" : row.kind === "removed" ? "del" : "span";
  const strong = row.kind === "added" ? "bg-diff-add-strong" : "bg-diff-del-strong";
  const isEmpty = row.words.every((word) => word.text === "");
  return (
    <div className={cx("flex min-h-5 items-baseline", looks[row.kind])}>
      <span className="w-9 shrink-0 text-right text-faint text-secondary tabular-nums">
        {row.before ?? ""}
      </span>
      <span className="w-9 shrink-0 text-right text-faint text-secondary tabular-nums">
        {row.after ?? ""}
      </span>
      <span className="w-5 shrink-0 text-center text-muted" aria-hidden="true">
        {row.kind === "added" ? "+" : row.kind === "removed" ? "−" : ""}
      </span>
      <span className="sr-only">{words[row.kind]}</span>
      <Edit className="min-w-0 flex-1 whitespace-pre-wrap break-words pr-3 no-underline">
        {isEmpty ? <span className="text-faint">{row.kind === "same" ? "" : "(empty line)"}</span> : null}
        {row.words.map((word, at) =>
          word.changed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of one line never move
            <span key={at} className={cx("rounded-[2px]", strong)}>
              {word.text}
            </span>
          ) : (
            word.text
          ),
        )}
      </Edit>
    </div>
  );
}

type Part =
  | { readonly kind: "row"; readonly row: DiffRow }
  | { readonly kind: "fold"; readonly start: number; readonly count: number };

/** Long runs of equal lines as one line, those at the ends too. */
function fold(rows: readonly DiffRow[], opened: ReadonlySet<number>): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (rows[end]?.kind === "same") end += 1;
    if (end === at) {
      const row = rows[at];
      if (row) parts.push({ kind: "row", row });
      at += 1;
      continue;
    }
    const from = at === 0 ? at : at + around;
    const to = end === rows.length ? end : end - around;
    const isFolded = to - from >= shortest && !opened.has(from);
    for (const [index, row] of rows.slice(at, end).entries()) {
      if (isFolded && at + index === from) parts.push({ kind: "fold", start: from, count: to - from });
      if (!isFolded || at + index < from || at + index >= to) parts.push({ kind: "row", row });
    }
    at = end;
  }
  return parts;
}
