import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { countDiff, partingRow } from "../../../lib/diff/items.ts";
import { counted } from "../../../lib/words.ts";
import type { RunRow } from "../run-row.ts";
import { goodBefore } from "../runs-of-flow.ts";

/** One input or output of two runs. `undefined`: that run has none of this name. */
export interface ValueRow {
  readonly name: string;
  readonly a: unknown;
  readonly b: unknown;
  readonly isSame: boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** The values of two runs by name, in the order of A, then what only B has. Those that differ come first. */
export function pairValues(a: Values, b: Values): readonly ValueRow[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const rows = names.map((name) => {
    const inA = Object.hasOwn(a, name) ? a[name] : undefined;
    const inB = Object.hasOwn(b, name) ? b[name] : undefined;
    return { name, a: inA, b: inB, isSame: isSameJson(inA, inB) };
  });
  return [...rows.filter((row) => !row.isSame), ...rows.filter((row) => row.isSame)];
}

/** Whether two JSON values say the same; the order of keys does not count. Without recursion: values may be deep. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const open: [unknown, unknown][] = [[one, other]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([(a as Values)[key], (b as Values)[key]]);
    }
  }
  return true;
}

/** Where two runs part, in a sentence, and what supports it. Facts only: no cause is guessed. */
interface Verdict {
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
        ? "The inputs are the same."
        : changed.length === 1
          ? `One input differs: ${changed[0]}.`
          : `${changed.length} inputs differ: ${changed.slice(0, 3).join(", ")}${changed.length > 3 ? " and more" : ""}.`;
  const join = (...words: string[]) => words.filter(Boolean).join(" ");
  if (differ + onlyA + onlyB === 0) {
    return { headline: "The logs are identical.", proof: inputWords };
  }
  const row = partingRow(comparison);
  if (row === -1) {
    return {
      headline: `Same steps; ${lines(differ)} in values.`,
      proof: inputWords,
    };
  }
  const a = comparison.rows[row * 2] ?? -1;
  const b = comparison.rows[row * 2 + 1] ?? -1;
  const node = nodeAt(row);
  const place = node === null ? "" : `, in ${node}`;
  const line = b === -1 ? `line ${a + 1} of A` : a === b || a === -1 ? `line ${b + 1}` : `line ${b + 1} of B`;
  const before =
    row === 0 ? "" : valuesBefore === 0 ? "Up to there, the logs are identical." : upToThere(valuesBefore);
  return { headline: `The runs diverge at ${line}${place}.`, proof: join(before, inputWords) };
}

const lines = (count: number) => counted(count, "line differs", "lines differ");
const upToThere = (count: number) => `Up to there, ${lines(count)} in values only.`;

/** The good runs before one, to compare it with. */
export interface GoodRuns {
  /** The newest of them; null where none is known. */
  readonly last: RunRow | null;
  /** The one with the most equal inputs, of several the newest: what differs then is hardly for its inputs. */
  readonly closest: RunRow | null;
}

type Inputs = RunRow["inputs"];

/**
 * The good runs before one.
 * @param runs of its flow, newest first; itself may be among them
 * @param before `inputs` null: not known
 */
export function goodRuns(
  runs: readonly RunRow[],
  before: Pick<RunRow, "runId" | "createdTs"> & { readonly inputs: Inputs | null },
): GoodRuns {
  const good = goodBefore(runs, before);
  // A list cuts long values: its own row is cut like the others.
  const own = runs.find(({ runId, source }) => runId === before.runId && source === "service")?.inputs;
  const inputs = own ?? before.inputs ?? {};
  let closest: RunRow | null = null;
  let most = -1;
  for (const run of good) {
    const equal = countEqual(run.inputs, inputs);
    if (equal > most) [closest, most] = [run, equal];
  }
  return { last: good[0] ?? null, closest };
}

function countEqual(one: Inputs, other: Inputs): number {
  return Object.keys(one).filter((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
    .length;
}
