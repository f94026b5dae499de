import type { endpoints } from "../../contract/endpoints.ts";
import { type NodeValue, type NodeWait, type RunNode, wholeValue } from "../../contract/run-nodes.ts";
import type { Context } from "../context.ts";
import { readExecution } from "../engine/queries.ts";
import type { JsonValue } from "../json.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { itemsOf, shownFields } from "../pipelines/node-fields.ts";
import { type ItemState, itemStates } from "../pipelines/node-items.ts";
import { type NodeState, StepsOfRun } from "../pipelines/node-states.ts";
import { readStarted, readStepsBelow, type StartedByNode } from "../pipelines/node-steps.ts";
import type { Known } from "../pipelines/node-values.ts";
import { type RunNodes, readRunNodes } from "../pipelines/run-nodes.ts";
import type { RunHead } from "../pipelines/run-reader.ts";
import { ServiceError } from "../service-error.ts";
import { noRun } from "./get-run.ts";
import type { Caller, Handlers } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { cutPage, readCursor } from "./page.ts";
import { runOwner, wireState } from "./run-rows.ts";

type Nodes = Pick<Handlers<typeof endpoints>, "listRunNodes" | "getRunNode" | "listRunNodeItems">;

/** Waits of one node that an answer has. */
const mostWaits = 50;
const previewLength = 120;
const itemList = "items:index";

/** Own: the states of all nodes. A run's revision is the ETag: a poll that brings nothing new reads one row. */
const listRunNodes: Nodes["listRunNodes"] = async (context, { caller, params, ifNoneMatch }) => {
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const read = await nodesOf(context, run.id);
  const head = { run_id: run.id, state: wireState(run.state, run.started_at) };
  if (read === null) return { type: "body", etag, body: { ...head, readable: false, nodes: [] } };
  const started = await startedBy(context, read.states);
  const nodes: RunNode[] = [];
  for (const state of read.states) nodes.push(await showNode(read, state, started));
  return { type: "body", etag, body: { ...head, readable: true, nodes } };
};

/** Own: what went into a node or an item, and what came out. */
const getRunNode: Nodes["getRunNode"] = async (context, { caller, params, query, ifNoneMatch }) => {
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const { read, state } = await nodeOf(context, run, params.node_id);
  const whole = query.whole ?? false;
  if (query.item !== undefined) {
    const { inputs, output } = await itemValues(context, read, state, query.item);
    return {
      type: "body",
      etag,
      body: { inputs: showValue(inputs, whole), output: showValue(output, whole) },
    };
  }
  const { node } = state;
  const fields = await read.values.fields(node);
  const inputs: Known<JsonValue> = fields.known
    ? { known: true, value: shownFields(node.config, fields.value) }
    : fields;
  const output = await read.values.output(node.id);
  return { type: "body", etag, body: { inputs: showValue(inputs, whole), output: showValue(output, whole) } };
};

/** Own: the items of an `each`. */
const listRunNodeItems: Nodes["listRunNodeItems"] = async (context, request) => {
  const { caller, params, query, ifNoneMatch } = request;
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const { read, state } = await nodeOf(context, run, params.node_id);
  const after = query.cursor === undefined ? -1 : Number(readCursor(itemList, query.cursor, /^\d{1,9}$/).key);
  const size = query.page_size ?? 50;
  const wanted = query.state?.split(",");
  const fields = await read.values.fields(state.node);
  const items = fields.known ? itemsOf(fields.value) : null;
  const steps = new StepsOfRun(await readStepsBelow(context.store, run.id, state.node.id));
  const found = itemStates(state, read.source.run, steps, items).filter(
    ({ index, state: at }) => index > after && (wanted === undefined || wanted.includes(at)),
  );
  const page = cutPage(found.slice(0, size + 1), size, itemList, ({ index }) => ({
    key: String(index),
    id: "",
  }));
  const started = await startedBy(context, page.rows);
  const shown = page.rows.map((item) => {
    const value = items?.[item.index];
    return {
      index: item.index,
      ...showProgress(item, started),
      preview: value === undefined ? null : JSON.stringify(value).slice(0, previewLength),
    };
  });
  return { type: "body", etag, body: { items: shown, next_cursor: page.next_cursor } };
};

export const runNodes: Nodes = { listRunNodes, getRunNode, listRunNodeItems };

async function seenRun(context: Context, caller: Caller, id: string): Promise<RunHead> {
  const run = await context.runs.head(id);
  if (!run || !mayReadExecution(caller, runOwner(run))) throw noRun();
  return run;
}

async function nodesOf({ store, flowVersions }: Context, id: string): Promise<RunNodes | null> {
  const execution = await readExecution(store.db, id);
  if (!execution) throw noRun();
  return readRunNodes(store, flowVersions, execution);
}

async function nodeOf(
  context: Context,
  run: RunHead,
  id: string,
): Promise<{ readonly read: RunNodes; readonly state: NodeState }> {
  const read = await nodesOf(context, run.id);
  const state = read?.states.find(({ node }) => node.id === id);
  if (!read || !state) throw noNode("node_id");
  return { read, state };
}

function noNode(param: string): ServiceError {
  return new ServiceError("not_found", { message: "The flow that was run has no such node or item.", param });
}

/** What nodes or items have started, and what they wait for, by id. */
function startedBy(
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

async function showNode(
  { values, itemsDone }: RunNodes,
  state: NodeState,
  started: Started,
): Promise<RunNode> {
  const { node, begunAt } = state;
  const { id, config, needs, when } = node;
  const edges = needs.map((other) => ({ node: other, branch: when?.node === other ? when.branch : null }));
  return {
    ...{ id, type: config.type, description: config.description ?? null, needs: edges },
    ...showProgress(state, started),
    began_at: begunAt?.toISOString() ?? null,
    items: config.type === "each" ? { done: itemsDone.get(id) ?? 0, total: await itemCount() } : null,
  };

  async function itemCount(): Promise<number | null> {
    if (state.state === "done") return itemsDone.get(id) ?? 0;
    if (state.state === "pending" || state.state === "not_run" || state.state === "skipped") return null;
    const fields = await values.fields(node);
    return fields.known ? (itemsOf(fields.value)?.length ?? null) : null;
  }
}

function showProgress(state: NodeState | ItemState, started: Started) {
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

async function itemValues(
  context: Context,
  read: RunNodes,
  { node }: NodeState,
  index: number,
): Promise<{ readonly inputs: Known<JsonValue>; readonly output: Known<JsonValue> }> {
  const { config, id } = node;
  if (config.type !== "each") throw noNode("item");
  const inner = await read.values.itemFields(node, index);
  if (inner === null) throw noNode("item");
  const inputs: Known<JsonValue> = inner.known
    ? { known: true, value: shownFields(config.do, inner.value) }
    : inner;
  const steps = await readStepsBelow(context.store, read.source.facts.runId, id);
  const isDone = steps.some(({ key, state }) => key === `${id}/${index}` && state === "done");
  const output: Known<JsonValue> = isDone
    ? { known: true, value: await read.source.load(`${id}/${index}`) }
    : { known: false, why: `item ${index} of ${id} has not ended` };
  return { inputs, output };
}

function showValue(value: Known<JsonValue>, whole: boolean): NodeValue {
  const unknown = { known: false, value: null, size: null, beginning: null };
  if (!value.known) return { ...unknown, reason: value.why };
  const text = JSON.stringify(value.value);
  const size = text.length;
  if (whole || size <= wholeValue)
    return { known: true, reason: null, value: value.value, size, beginning: null };
  return { known: true, reason: null, value: null, size, beginning: text.slice(0, wholeValue) };
}
