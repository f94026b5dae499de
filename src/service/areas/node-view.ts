import type { NodeWait, RunNode } from "../../contract/run-nodes.ts";
import type { Context } from "../context.ts";
import { itemsOf } from "../pipelines/node-fields.ts";
import type { ItemState } from "../pipelines/node-items.ts";
import type { NodeState } from "../pipelines/node-states.ts";
import { readStarted, type StartedByNode } from "../pipelines/node-steps.ts";
import type { RunNodes } from "../pipelines/run-nodes.ts";
import { longest } from "../pipelines/run-parts.ts";

/** Waits of one node that an answer has. */
const mostWaits = 50;
/** Nodes of which is read at once what they have started: a thousand runs and turns, about. */
const mostNodes = 20;

/**
 * Nodes as `GET /runs/{run_id}/nodes` shows them, as many as fit into one piece of it, and always one where there is one.
 * @param from the place of the first one in the order of the flow, from 0
 * @returns and the place where the next piece goes on; the count of nodes at their end
 */
export async function showNodes(
  context: Context,
  read: RunNodes,
  from: number,
): Promise<{ readonly items: RunNode[]; readonly next: number }> {
  const items: RunNode[] = [];
  let size = 0;
  for (let at = from; at < read.states.length; at += mostNodes) {
    const states = read.states.slice(at, at + mostNodes);
    const started = await startedBy(context, states);
    for (const state of states) {
      const node = await showNode(read, state, started);
      size += JSON.stringify(node).length;
      if (size > longest && items.length > 0) return { items, next: from + items.length };
      items.push(node);
    }
  }
  return { items, next: read.states.length };
}

/** What nodes or items have started, and what they wait for, by id. */
export function startedBy(
  { store }: Context,
  states: readonly Pick<NodeState, "childId" | "waits">[],
): Promise<ReadonlyMap<string, StartedByNode>> {
  const ids = states.flatMap(({ childId, waits }) => [
    childId,
    ...waits.slice(0, mostWaits).map((wait) => wait.childId),
  ]);
  return readStarted(store, [...new Set(ids.filter((id) => id !== null))]);
}

type Started = ReadonlyMap<string, StartedByNode>;

/** @param started of `startedBy` */
async function showNode(
  { values, itemsDone }: RunNodes,
  state: NodeState,
  started: Started,
): Promise<RunNode> {
  const { node, begunAt } = state;
  const { id, config, needs, when } = node;
  const edges = needs.map((other) => ({ node: other, branch: when?.node === other ? when.branch : null }));
  const progress = showProgress(state, started);
  return {
    ...{ id, type: config.type, description: config.description ?? null, needs: edges },
    ...progress,
    waits: await toTheEnd(progress.waits),
    began_at: begunAt?.toISOString() ?? null,
    items: config.type === "each" ? { done: itemsDone.get(id) ?? 0, total: await itemCount() } : null,
  };

  /** A delay that writes lines wakes for each of them: it is over when its time is. */
  async function toTheEnd(waits: NodeWait[]): Promise<NodeWait[]> {
    if (config.type !== "delay" || config.log_every === undefined || waits.length === 0) return waits;
    const fields = await values.fields(node);
    const seconds = fields.known ? Number(fields.value.seconds) : Number.NaN;
    const end = begunAt === null || Number.isNaN(seconds) ? null : begunAt.getTime() + seconds * 1_000;
    return waits.map((wait) => ({ ...wait, until: end === null ? null : new Date(end).toISOString() }));
  }

  async function itemCount(): Promise<number | null> {
    if (state.state === "done") return itemsDone.get(id) ?? 0;
    if (state.state === "pending" || state.state === "not_run" || state.state === "skipped") return null;
    const fields = await values.fields(node);
    return fields.known ? (itemsOf(fields.value)?.length ?? null) : null;
  }
}

/** How far a node or an item is. @param started of `startedBy` */
export function showProgress(state: NodeState | ItemState, started: Started) {
  return {
    state: state.state,
    tries: state.tries,
    most_tries: state.mostTries,
    waits: state.waits.slice(0, mostWaits).map((wait) => showWait(wait, started)),
    waits_count: state.waits.length,
    ended_at: state.endedAt?.toISOString() ?? null,
    error: state.error,
    ...idsOf(state.childId, started),
  };
}

function showWait({ kind, until, childId, item }: NodeState["waits"][number], started: Started): NodeWait {
  const ids = idsOf(childId, started);
  const of = ids.run_id !== null ? "sub_run" : ids.interaction_id !== null ? "agent_turn" : kind;
  return { kind: of, until: until?.toISOString() ?? null, ...ids, item };
}

function idsOf(childId: string | null, started: Started) {
  const child = childId === null ? undefined : started.get(childId);
  return {
    run_id: child?.kind === "pipeline" ? child.id : null,
    interaction_id: child && child.kind !== "pipeline" ? child.subject_id : null,
    agent_id: child?.agent_id ?? null,
  };
}
