import { diffArrays } from "diff";

/** A line in pieces, each with whether the other line does not have it. */
export type Words = readonly (readonly [text: string, isChanged: boolean])[];

const word = /[\p{L}\p{N}_.-]+|\s+|./gu;

/** Two lines with what differs marked; null where they have too little in common to tell. */
export function changedWords(a: string, b: string): { a: Words; b: Words } | null {
  const changes = diffArrays(a.match(word) ?? [], b.match(word) ?? [], { maxEditLength: 200 });
  if (!changes) return null;
  const join = (skip: "added" | "removed", mark: "added" | "removed"): Words =>
    changes.filter((change) => !change[skip]).map((change) => [change.value.join(""), change[mark]]);
  return { a: join("added", "removed"), b: join("removed", "added") };
}
