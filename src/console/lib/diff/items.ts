import { counted } from "../words.ts";
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

/** The 0-based lines of both sides in a row; -1 where that side has none. */
export const linesOf = ({ rows }: Comparison, row: number): readonly [a: number, b: number] => [
  rows[row * 2] ?? -1,
  rows[row * 2 + 1] ?? -1,
];

/**
 * Rows to show; equal ones far from any that differs are folded, but for those whose fold was opened.
 * @param opened the rows where opened folds began; "all": nothing is folded
 */
export function diffItems(comparison: Comparison, opened: ReadonlySet<number> | "all"): readonly DiffItem[] {
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
    if (to - from < worthFolding || opened === "all" || opened.has(from)) {
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

/** How a count of lines that differ is said. */
export interface CountWords {
  /** "1 line differs", "2 lines differ" */
  readonly differ: readonly [one: string, more: string];
  readonly onlyA: string;
  readonly onlyB: string;
  readonly none: string;
}

/** "2 lines differ, 1 only in A" */
export function sayCounts(comparison: Comparison, words: CountWords): string {
  const { differ, onlyA, onlyB } = countDiff(comparison);
  const said = [
    differ > 0 && counted(differ, ...words.differ),
    onlyA > 0 && counted(onlyA, words.onlyA, words.onlyA),
    onlyB > 0 && counted(onlyB, words.onlyB, words.onlyB),
  ].filter(Boolean);
  return said.length === 0 ? words.none : said.join(", ");
}

/** The places in a list of items where a difference begins, for stepping through them. */
export function differences(items: readonly DiffItem[], { kinds }: Comparison): readonly number[] {
  return items.flatMap((item, at) => {
    const differs = (one: DiffItem | undefined) => one?.kind === "row" && kinds[one.row] !== rowKinds.same;
    return differs(item) && !differs(items[at - 1]) ? [at] : [];
  });
}
