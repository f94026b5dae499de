import type { endpoints } from "../../contract/endpoints.ts";
import { createByteRoom } from "../byte-room.ts";
import type { Context } from "../context.ts";
import { readExecution } from "../engine/queries.ts";
import { eventLoopTurn } from "../event-loop-turn.ts";
import type { JsonValue } from "../json.ts";
import { beginningOf } from "../json-pieces.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { principalOf } from "../permission/roles.ts";
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
import type { Caller, Handlers, Request } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { listPieces } from "./long-list.ts";
import { showValue, showWhole, wholePieces } from "./node-value.ts";
import { showNodes, showProgress, startedBy } from "./node-view.ts";
import { cutPage, readCursor } from "./page.ts";
import { runOwner, wireState } from "./run-rows.ts";

type Nodes = Pick<Handlers<typeof endpoints>, "listRunNodes" | "getRunNode" | "listRunNodeItems">;

const previewLength = 120;
const itemList = "items:index";

/** Own: the states of all nodes. A run's revision is the ETag: a poll that brings nothing new reads one row. */
const listRunNodes: Nodes["listRunNodes"] = async (context, request) => {
  const { caller, params, ifNoneMatch } = request;
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const body = await withNodes(context, request, async (read) => {
    const state = wireState(run.state, run.started_at);
    if (read === null) return { run_id: run.id, state, readable: false, nodes: [] };
    const { items: nodes, next } = await showNodes(context, read, 0);
    return next === read.states.length ? { ...headOf(read), nodes } : null;
  });
  return body === null
    ? { type: "pieces", etag, pieces: nodePieces(context, request) }
    : { type: "body", etag, body };
};

/** The same of many nodes as JSON text: the run of the moment in which it begins, whatever happens to it meanwhile. */
async function* nodePieces(
  context: Context,
  request: Request<typeof endpoints.listRunNodes>,
): AsyncGenerator<string> {
  const { read, leave } = await openNodes(context, request);
  try {
    if (read === null) throw noRun();
    const list = {
      name: "nodes",
      readPage: async () => ({ ids: read.states.map(({ node }) => node.id) }),
      async readItems(_: unknown, from: number) {
        const shown = await showNodes(context, read, from);
        // What its nodes have started goes with it, and would look as if it had never been.
        if (!(await context.runs.head(request.params.run_id))) throw noRun();
        return shown;
      },
    };
    yield* listPieces(list, headOf(read));
  } finally {
    leave();
  }
}

/** What is said of a run beside its nodes, of the same moment. */
function headOf({ source: { facts, run } }: RunNodes) {
  return { run_id: facts.runId, state: wireState(run.state, run.startedAt), readable: true };
}

/** Own: what went into a node or an item, and what came out. */
const getRunNode: Nodes["getRunNode"] = async (context, request) => {
  const { caller, params, query, ifNoneMatch } = request;
  const run = await seenRun(context, caller, params.run_id);
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const show = query.whole === true ? showWhole : showValue;
  const [inputs, output] = await withNode(context, request, params.node_id, async (read, state) => {
    const values = await nodeValues(context, read, state, query.item);
    return [await show(values.inputs), await show(values.output)];
  });
  if (inputs && output) return { type: "body", etag, body: { inputs, output } };
  return { type: "pieces", etag, pieces: valuePieces(context, request) };
};

/** What went into a node or an item, and what came out. */
interface InAndOut {
  readonly inputs: Known<JsonValue>;
  readonly output: Known<JsonValue>;
}

/** The same as JSON text. They are worked out once, and keep their room until the client has taken them. */
async function* valuePieces(
  context: Context,
  request: Request<typeof endpoints.getRunNode>,
): AsyncGenerator<string> {
  const { params, query } = request;
  const { read, leave } = await openNodes(context, request);
  try {
    const { inputs, output } = await nodeValues(context, ...nodeOf(read, params.node_id), query.item);
    yield '{"inputs":';
    yield* wholePieces(inputs);
    yield ',"output":';
    yield* wholePieces(output);
    yield "}";
  } finally {
    leave();
  }
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
  return await withNode(context, request, params.node_id, async (read, state) => {
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

export const runNodeHandlers: Nodes = { listRunNodes, getRunNode, listRunNodeItems };

async function seenRun(context: Context, caller: Caller, id: string): Promise<RunHead> {
  const run = await context.runs.head(id);
  if (!run || !mayReadExecution(caller, runOwner(run))) throw noRun();
  return run;
}

/** What is read and worked out of the nodes of large runs is in this process's memory for so many bytes at a time. */
const room = createByteRoom(12_000_000);

/** A request for a run's nodes. */
interface NodesRequest {
  readonly caller: Caller;
  readonly params: { readonly run_id: string };
  readonly signal: AbortSignal;
}

/**
 * Reads what is known of a run's nodes, when there is room for it.
 * @returns null: it cannot be read; and gives the room back
 * @throws ServiceError `not_found`; the signal's reason where nobody waits for it any more
 */
async function openNodes(
  { store, flowVersions }: Context,
  asked: NodesRequest,
): Promise<{ readonly read: RunNodes | null; readonly leave: () => void }> {
  const { caller, params } = asked;
  const place = room.enter(principalOf(caller));
  const take = async (bytes: number) => {
    if (bytes <= longest) return;
    await place.take(bytes);
    asked.signal.throwIfAborted();
  };
  try {
    await take(await readRunBytes(store, params.run_id));
    const execution = await readExecution(store.db, params.run_id);
    if (!execution) throw noRun();
    // What each of these does with a large input takes a while: others come between.
    await eventLoopTurn();
    const read = await readRunNodes(store, flowVersions, execution, take);
    await eventLoopTurn();
    return { read, leave: () => place.leave() };
  } catch (error) {
    place.leave();
    throw error;
  }
}

/** The same, and uses it. */
async function withNodes<T>(
  context: Context,
  asked: NodesRequest,
  use: (read: RunNodes | null) => Promise<T>,
): Promise<T> {
  const { read, leave } = await openNodes(context, asked);
  try {
    return await use(read);
  } finally {
    leave();
  }
}

/** The same of one node, by its id. */
function withNode<T>(
  context: Context,
  asked: NodesRequest,
  nodeId: string,
  use: (read: RunNodes, state: NodeState) => Promise<T>,
): Promise<T> {
  return withNodes(context, asked, (read) => use(...nodeOf(read, nodeId)));
}

/** @throws ServiceError `not_found` */
function nodeOf(read: RunNodes | null, nodeId: string): [RunNodes, NodeState] {
  const state = read?.states.find(({ node }) => node.id === nodeId);
  if (!read || !state) throw noNode("node_id");
  return [read, state];
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
