import { diffWordsWithSpace } from "diff";

/** A piece of a line: as it was, put in, or taken out. */
export interface WordPart {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Longer lines are not compared word by word, and very different ones neither. */
const longest = 5_000;
const mostEdits = 300;

/** A changed line word by word; null where that would say nothing, as the whole of it is another one, or would take long. */
export function wordDiff(before: string, after: string): readonly WordPart[] | null {
  if (before.length > longest || after.length > longest) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  if (parts === undefined) return null;
  const same = parts.filter((part) => !part.added && !part.removed);
  const kept = same.reduce((sum, part) => sum + part.value.trim().length, 0);
  const gone = parts.reduce((sum, part) => sum + (part.removed ? part.value.length : 0), 0);
  if (kept * 3 < Math.min(before.length, after.length) || gone > kept * 3) return null;
  return parts.map((part) => ({
    kind: part.added ? "added" : part.removed ? "removed" : "same",
    text: part.value,
  }));
}
