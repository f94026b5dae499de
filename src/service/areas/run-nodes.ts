import { setImmediate } from "node:timers/promises";
import type { endpoints } from "../../contract/endpoints.ts";
import type { RunNode } from "../../contract/run-nodes.ts";
import { createByteRoom } from "../byte-room.ts";
import type { Context } from "../context.ts";
import { readExecution } from "../engine/queries.ts";
import type { JsonValue } from "../json.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { askerOf } from "../permission/roles.ts";
import { itemsOf, shownFields } from "../pipelines/node-fields.ts";
import { itemStates } from "../pipelines/node-items.ts";
import { type NodeState, StepsOfRun } from "../pipelines/node-states.ts";
import { readRunBytes, readStepsBelow } from "../pipelines/node-steps.ts";
import type { Known } from "../pipelines/node-values.ts";
import { type RunNodes, readRunNodes } from "../pipelines/run-nodes.ts";
import { longest } from "../pipelines/run-parts.ts";
import type { RunHead } from "../pipelines/run-reader.ts";
import { ServiceError } from "../service-error.ts";
import { noRun } from "./get-run.ts";
import type { Caller, Handlers } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { beginningOf } from "./json-pieces.ts";
import { showValue, showWhole, wholePieces } from "./node-value.ts";
import { showNode, showProgress, startedBy } from "./node-view.ts";
import { cutPage, readCursor } from "./page.ts";
import { runOwner, wireState } from "./run-rows.ts";

type Nodes = Pick<Handlers<typeof endpoints>, "listRunNodes" | "getRunNode" | "listRunNodeItems">;

const previewLength = 120;
const itemList = "items:index";

/** Own: the states of all nodes. A run's revision is the ETag: a poll that brings nothing new reads one row. */
const listRunNodes: Nodes["listRunNodes"] = async (context, { caller, params, ifNoneMatch }) => {
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const head = { run_id: run.id, state: wireState(run.state, run.started_at) };
  return await withNodes(context, caller, run.id, async (read) => {
    if (read === null) return { type: "body", etag, body: { ...head, readable: false, nodes: [] } };
    const started = await startedBy(context, read.states);
    const nodes: RunNode[] = [];
    for (const state of read.states) nodes.push(await showNode(read, state, started));
    return { type: "body", etag, body: { ...head, readable: true, nodes } };
  });
};

/** Own: what went into a node or an item, and what came out. */
const getRunNode: Nodes["getRunNode"] = async (context, { caller, params, query, ifNoneMatch }) => {
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const withValues: WithValues = (use) =>
    withNode(context, caller, params, async (read, state) =>
      use(await nodeValues(context, read, state, query.item)),
    );
  if (query.whole !== true) {
    const body = await withValues(async ({ inputs, output }) => ({
      inputs: await showValue(inputs),
      output: await showValue(output),
    }));
    return { type: "body", etag, body };
  }
  const [inputs, output] = await withValues(async (values) => [
    await showWhole(values.inputs),
    await showWhole(values.output),
  ]);
  if (inputs && output) return { type: "body", etag, body: { inputs, output } };
  return { type: "pieces", etag, pieces: valuePieces(withValues) };
};

/** What went into a node or an item, and what came out. */
interface InAndOut {
  readonly inputs: Known<JsonValue>;
  readonly output: Known<JsonValue>;
}

/** Reads both, and uses them. */
type WithValues = <T>(use: (values: InAndOut) => Promise<T>) => Promise<T>;

/** The same as JSON text. */
async function* valuePieces(withValues: WithValues): AsyncGenerator<string> {
  yield '{"inputs":';
  yield* wholePieces((use) => withValues(({ inputs }) => use(inputs)));
  yield ',"output":';
  yield* wholePieces((use) => withValues(({ output }) => use(output)));
  yield "}";
}

async function nodeValues(
  context: Context,
  read: RunNodes,
  state: NodeState,
  item: number | undefined,
): Promise<InAndOut> {
  if (item !== undefined) return await itemValues(context, read, state, item);
  const { node } = state;
  const fields = await read.values.fields(node);
  const inputs: Known<JsonValue> = fields.known
    ? { known: true, value: shownFields(node.config, fields.value) }
    : fields;
  return { inputs, output: await read.values.output(node.id) };
}

/** Own: the items of an `each`. */
const listRunNodeItems: Nodes["listRunNodeItems"] = async (context, request) => {
  const { caller, params, query, ifNoneMatch } = request;
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const size = query.page_size ?? 50;
  const wanted = query.state?.split(",");
  return await withNode(context, caller, params, async (read, state) => {
    const after =
      query.cursor === undefined ? -1 : Number(readCursor(itemList, query.cursor, /^\d{1,9}$/).key);
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
        preview: value === undefined ? null : beginningOf(value, previewLength),
      };
    });
    return { type: "body", etag, body: { items: shown, next_cursor: page.next_cursor } };
  });
};

export const runNodes: Nodes = { listRunNodes, getRunNode, listRunNodeItems };

async function seenRun(context: Context, caller: Caller, id: string): Promise<RunHead> {
  const run = await context.runs.head(id);
  if (!run || !mayReadExecution(caller, runOwner(run))) throw noRun();
  return run;
}

/** What is read and worked out of the nodes of large runs is in this process's memory for so many bytes at a time. */
const room = createByteRoom(12_000_000);

/** Reads what is known of a run's nodes, when there is room for it, and uses it; null: it cannot be read. */
async function withNodes<T>(
  { store, flowVersions }: Context,
  caller: Caller,
  id: string,
  use: (read: RunNodes | null) => Promise<T>,
): Promise<T> {
  const place = room.enter(askerOf(caller));
  const take = async (bytes: number) => {
    if (bytes > longest) await place.take(bytes);
  };
  try {
    await take(await readRunBytes(store, id));
    const execution = await readExecution(store.db, id);
    if (!execution) throw noRun();
    // What each of these does with a large input takes a while: others come between.
    await setImmediate();
    const read = await readRunNodes(store, flowVersions, execution, take);
    await setImmediate();
    return await use(read);
  } finally {
    place.leave();
  }
}

/** The same of one node, by its id. */
function withNode<T>(
  context: Context,
  caller: Caller,
  { run_id: runId, node_id: nodeId }: { readonly run_id: string; readonly node_id: string },
  use: (read: RunNodes, state: NodeState) => Promise<T>,
): Promise<T> {
  return withNodes(context, caller, runId, async (read) => {
    const state = read?.states.find(({ node }) => node.id === nodeId);
    if (!read || !state) throw noNode("node_id");
    return await use(read, state);
  });
}

function noNode(param: string): ServiceError {
  return new ServiceError("not_found", { message: "The flow that was run has no such node or item.", param });
}

async function itemValues(
  context: Context,
  read: RunNodes,
  { node }: NodeState,
  index: number,
): Promise<InAndOut> {
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
