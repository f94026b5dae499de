import { diffArrays } from "diff";
import { type Comparison, rowKinds } from "./compare-lines.ts";

/** What a list of compared lines shows: a row of the comparison, or the rows that it leaves out. */
export type DiffItem =
  | { readonly kind: "row"; readonly row: number; readonly isParting: boolean }
  | { readonly kind: "fold"; readonly row: number; readonly count: number };

/** Equal lines that stay around one that differs. */
const context = 3;
/** Fewer lines than this are not worth folding. */
const worthFolding = 4;

/** The row from which on the runs do different things; -1 where they never do. */
export const partingRow = ({ kinds }: Comparison): number => kinds.indexOf(rowKinds.other);

/** Rows to show; equal ones far from any that differs are folded, but for those whose fold was opened. */
export function diffItems(comparison: Comparison, opened: ReadonlySet<number>): readonly DiffItem[] {
  const { kinds } = comparison;
  const parting = partingRow(comparison);
  const items: DiffItem[] = [];
  const show = (row: number) => items.push({ kind: "row", row, isParting: row === parting });
  for (let row = 0; row < kinds.length; ) {
    if (kinds[row] !== rowKinds.same) {
      show(row++);
      continue;
    }
    let end = row;
    while (end < kinds.length && kinds[end] === rowKinds.same) end += 1;
    const from = row === 0 ? 0 : row + context;
    const to = end === kinds.length ? end : end - context;
    if (to - from < worthFolding || opened.has(from)) {
      while (row < end) show(row++);
      continue;
    }
    while (row < from) show(row++);
    items.push({ kind: "fold", row: from, count: to - from });
    row = to;
    while (row < end) show(row++);
  }
  return items;
}

export interface DiffCounts {
  /** Lines beside each other that differ. */
  readonly differ: number;
  readonly onlyA: number;
  readonly onlyB: number;
  /** Of those that differ, how many before the runs part. */
  readonly valuesBefore: number;
}

/** How many lines of two logs differ, and in what way. */
export function countDiff(comparison: Comparison): DiffCounts {
  const { rows, kinds } = comparison;
  const parting = partingRow(comparison);
  let differ = 0;
  let onlyA = 0;
  let onlyB = 0;
  let valuesBefore = 0;
  for (let row = 0; row < kinds.length; row += 1) {
    if (kinds[row] === rowKinds.same) continue;
    if (rows[row * 2 + 1] === -1) onlyA += 1;
    else if (rows[row * 2] === -1) onlyB += 1;
    else differ += 1;
    if (kinds[row] === rowKinds.values && (parting === -1 || row < parting)) valuesBefore += 1;
  }
  return { differ, onlyA, onlyB, valuesBefore };
}

/** The places in a list of items where a difference begins, for stepping through them. */
export function differences(items: readonly DiffItem[], { kinds }: Comparison): readonly number[] {
  return items.flatMap((item, at) => {
    const differs = (one: DiffItem | undefined) => one?.kind === "row" && kinds[one.row] !== rowKinds.same;
    return differs(item) && !differs(items[at - 1]) ? [at] : [];
  });
}

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
