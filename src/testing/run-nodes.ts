import type { RunNode } from "../contract/run-nodes.ts";

/** How far a node or an item is that ended at its first try. */
export const endedProgress = {
  ...{ tries: 1, most_tries: 1, waits: [], waits_count: 0, ended_at: null, error: null },
  ...{ run_id: null, interaction_id: null, agent_id: null },
};

/** A node of a run; done, unless the test says otherwise. */
export function aRunNode(part: Partial<RunNode> & { id: string }): RunNode {
  const rest = { type: "template", description: null, needs: [], state: "done", began_at: null, items: null };
  return { ...rest, ...endedProgress, ...part };
}
