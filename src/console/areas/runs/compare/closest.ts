import type { RunRow } from "../run-row.ts";
import { goodBefore } from "../useRunsOfFlow.ts";
import { isSameJson } from "./values.ts";

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
