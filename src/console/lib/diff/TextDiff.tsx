import { useMemo, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { counted } from "../words.ts";
import { compareLines, rowKinds } from "./compare-lines.ts";
import { type DiffLook, DiffRow } from "./DiffRow.tsx";
import { diffItems } from "./items.ts";

type Props = {
  before: string;
  after: string;
  /** Its name for those who listen. */
  label: string;
  isMono?: boolean;
};

/** Lines that are drawn at once; more come on demand, so that a text of any length can be looked at. */
const most = 1_000;
/** Lines that the eye compares in a text of a hundred thousand; the page waits for it, so more are not looked for. */
const mostEdits = 2_000;

/** Two texts line by line in the flow of a page, a changed line over the one that replaces it. */
export function TextDiff({ before, after, label, isMono = false }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(most);
  const { comparison, look } = useMemo(() => {
    const lines = { a: textLines(before), b: textLines(after) };
    const look: DiffLook = {
      textOf: (side, line) => lines[side][line] ?? "",
      names: { a: "removed", b: "added" },
    };
    return { comparison: compareLines(lines.a, lines.b, { mostEdits }), look };
  }, [before, after]);
  const items = useMemo(() => diffItems(comparison, opened), [comparison, opened]);
  if (comparison.kinds.every((kind) => kind === rowKinds.same)) {
    return <p className="text-muted">Only line endings differ.</p>;
  }
  return (
    <section
      aria-label={label}
      className={cx(
        "overflow-x-auto border-y [&>button:first-child]:border-t-0 [&>button:last-child]:border-b-0",
        isMono && "text-mono",
      )}
    >
      {!comparison.isLinedUp && (
        <p className="text-muted">The texts differ too much to align; they are shown line by line.</p>
      )}
      {items.slice(0, shown).map((item) => (
        <DiffRow
          key={`${item.kind} ${item.row}`}
          comparison={comparison}
          item={item}
          look={look}
          isUnified
          onOpen={() => setOpened(new Set([...opened, item.row]))}
        />
      ))}
      {items.length > shown && (
        <Button size="small" variant="quiet" onClick={() => setShown(shown + most)}>
          Show more of {counted(items.length - shown, "line")}
        </Button>
      )}
    </section>
  );
}

/** The lines of a text, whichever breaks it has; an empty text has none. */
export const textLines = (text: string): readonly string[] => (text === "" ? [] : text.split(/\r?\n/));
