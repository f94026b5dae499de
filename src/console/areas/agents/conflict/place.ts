import type { Conflict, ListEntry, MergedField, MergeKind } from "../agent/merge.ts";
import { fieldWords } from "../settings/words.ts";

/** Whose a change is, in a word. */
export const whose: Readonly<Record<MergeKind, string>> = {
  same: "same",
  mine: "yours",
  theirs: "theirs",
  both: "both",
  conflict: "to choose",
};

/** How a merged item is called; null where it has no name of its own. */
export type NameOf = (entry: Pick<ListEntry, "identity" | "base" | "mine" | "theirs">) => string;

/** Where a conflict is, in words: "a place in the system prompt", "almanac among the tools". */
export function placeWords(conflict: Conflict, field: MergedField | undefined, nameOf: NameOf): string {
  const words = fieldWords(conflict.field);
  if (conflict.form === "lines") return `a place in ${words}`;
  if (conflict.form === "order") return `the order of ${words}`;
  if (conflict.identity !== null && field?.form === "list") {
    const entry = field.entries.find((one) => one.identity === conflict.identity);
    return `${entry ? nameOf(entry) : conflict.identity} among ${words}`;
  }
  const path = conflict.path.join(".").replaceAll("_", " ");
  return path === "" ? words : `${path} in ${words}`;
}
