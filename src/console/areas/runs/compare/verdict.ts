import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { countDiff, partingRow } from "../../../lib/diff/items.ts";
import type { ValueRow } from "./values.ts";

/** Where two runs part, in a sentence, and what supports it. Facts only: no cause is guessed. */
export interface Verdict {
  readonly headline: string;
  readonly proof: string;
}

/** @param nodeAt names the node of a row of the comparison; null where its lines name none */
export function verdictOf(
  comparison: Comparison,
  inputs: readonly ValueRow[] | null,
  nodeAt: (row: number) => string | null,
): Verdict {
  const { differ, onlyA, onlyB, valuesBefore } = countDiff(comparison);
  const changed = inputs?.filter((row) => !row.isSame).map((row) => row.name);
  const inputWords =
    changed === undefined
      ? ""
      : changed.length === 0
        ? "Their inputs are equal."
        : changed.length === 1
          ? `One input differs: ${changed[0]}.`
          : `${changed.length} inputs differ: ${changed.slice(0, 3).join(", ")}${changed.length > 3 ? " and more" : ""}.`;
  const join = (...words: string[]) => words.filter(Boolean).join(" ");
  if (differ + onlyA + onlyB === 0) {
    return { headline: "Both logs say the same.", proof: inputWords };
  }
  const row = partingRow(comparison);
  if (row === -1) {
    return {
      headline: `They do the same things; ${lines(differ)} in values.`,
      proof: inputWords,
    };
  }
  const a = comparison.rows[row * 2] ?? -1;
  const b = comparison.rows[row * 2 + 1] ?? -1;
  const node = nodeAt(row);
  const place = node === null ? "" : `, in ${node}`;
  const line = b === -1 ? `line ${a + 1} of A` : a === b || a === -1 ? `line ${b + 1}` : `line ${b + 1} of B`;
  const before =
    row === 0 ? "" : valuesBefore === 0 ? "Up to there the logs say the same." : upToThere(valuesBefore);
  return { headline: `They part at ${line}${place}.`, proof: join(before, inputWords) };
}

const lines = (count: number) =>
  count === 1 ? "1 line differs" : `${count.toLocaleString("en-GB")} lines differ`;
const upToThere = (count: number) =>
  `Up to there ${count === 1 ? "1 line differs" : `${count.toLocaleString("en-GB")} lines differ`} in values only.`;
