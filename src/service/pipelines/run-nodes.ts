import type { Execution } from "../engine/kind.ts";
import type { Store } from "../store/store.ts";
import type { FlowVersions } from "./flow-versions.ts";
import { type NodeState, nodeStates, StepsOfRun } from "./node-states.ts";
import { readNodeSteps, readOutputBytes, readRunOutput, readStepOutput } from "./node-steps.ts";
import { type NodeSource, NodeValues } from "./node-values.ts";
import { planOf } from "./run.ts";
import { factsOf } from "./run-facts.ts";
import { runInput } from "./run-input.ts";

/** What is known of a run's nodes. */
export interface RunNodes {
  readonly source: NodeSource;
  /** In the order of the flow. */
  readonly states: readonly NodeState[];
  readonly values: NodeValues;
  /** Of `each`, by node: how many of its items are done. */
  readonly itemsDone: ReadonlyMap<string, number>;
}

/**
 * @param take waits for room for so many bytes that are read next; they stay in memory for as long as what is answered
 * @returns null where this release cannot read the flow that was run
 */
export async function readRunNodes(
  store: Store,
  versions: FlowVersions,
  execution: Execution,
  take: (bytes: number) => Promise<void> = async () => {},
): Promise<RunNodes | null> {
  const input = runInput.safeParse(execution.input);
  const plan = input.success ? await planOf(input.data, versions) : null;
  if (!input.success || plan === null) return null;
  const { id } = execution;
  const { steps: rows, itemsDone } = await readNodeSteps(store, id);
  const steps = new StepsOfRun(rows);
  const source: NodeSource = {
    ...{ plan, run: execution, steps, facts: factsOf(execution, input.data, plan.nodes) },
    async load(key) {
      await take(await readOutputBytes(store, id, key));
      return await readStepOutput(store, id, key);
    },
    loadOutput: (name) => readRunOutput(store, id, name),
  };
  const values = new NodeValues(source);
  const states = nodeStates(plan, execution, steps, await values.workedOut());
  return { source, states, values, itemsDone };
}
