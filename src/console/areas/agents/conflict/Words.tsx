import type { WordPart } from "../../../lib/diff/word-diff.ts";

/** A line word by word: what was put in and, unless `hidesRemoved`, what was taken out. */
export function Words({
  parts,
  after,
  hidesRemoved = false,
}: {
  /** Of `wordDiff`; null: the line is shown as it is. */
  parts: readonly WordPart[] | null;
  after: string;
  hidesRemoved?: boolean;
}) {
  if (parts === null) return after === "" ? <Blank /> : after;
  const shown = hidesRemoved ? parts.filter((part) => part.kind !== "removed") : parts;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never move
  return shown.map((part, at) => <Part key={at} {...part} />);
}

function Part({ kind, text }: WordPart) {
  if (kind === "added") return <ins className="rounded-[2px] bg-diff-add-strong no-underline">{text}</ins>;
  if (kind === "removed") return <del className="rounded-[2px] bg-diff-del-strong text-muted">{text}</del>;
  return text;
}

/** An empty line has its height and a word for those who listen. */
export function Blank() {
  return <span className="text-faint">(empty line)</span>;
}
