import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { runState } from "./runs.ts";
import { commaList, count, flag, integer, json, nextCursor, page, text, utcTime } from "./wire.ts";

/**
 * How far a node of a run is. `cancelled`: the run was over before it ended, and it may have been at work; `not_run`: before it
 * could begin. `unknown`: it has ended, and whether it was done or skipped was not recorded.
 */
export const nodeProgress = openEnum([
  "pending",
  "running",
  "waiting",
  "done",
  "failed",
  "skipped",
  "cancelled",
  "not_run",
  "unknown",
]);

/** One thing that a node waits for. */
export const nodeWait = z.object({
  /** `pause`: for a time; `retry`: before it tries again; others are what a kind of node calls it. */
  kind: openEnum(["pause", "retry", "sub_run", "agent_turn", "approval", "server_question"]),
  /** When it is over; null where that is not known beforehand. */
  until: z.nullable(utcTime),
  run_id: z.nullable(z.string()),
  interaction_id: z.nullable(z.string()),
  /** Of the conversation. */
  agent_id: z.nullable(z.string()),
  /** Of `each`: which of its items, from 0. */
  item: z.nullable(count),
});
export type NodeWait = z.output<typeof nodeWait>;

/** How far it is, what it tried, and what it waits for: the same of a node and of an item of `each`. */
const progress = {
  state: nodeProgress,
  /** How often it was tried, and how often it may be. */
  tries: count,
  most_tries: count,
  /** Fifty at most; `waits_count` has all. */
  waits: z.array(nodeWait),
  waits_count: count,
  /** When its end was recorded; null also where that is not known. */
  ended_at: z.nullable(utcTime),
  /** Why it failed. */
  error: z.nullable(z.string()),
  /** The run or the conversation that it has started, also after that has ended. */
  run_id: z.nullable(z.string()),
  interaction_id: z.nullable(z.string()),
  /** Of the conversation. */
  agent_id: z.nullable(z.string()),
};

/** One node of the flow as it was run. */
export const runNode = z.object({
  id: z.string(),
  type: z.string(),
  description: z.nullable(z.string()),
  /** What must end before it begins: all edges of the flow. `branch`: it runs only where that branch was taken. */
  needs: z.array(z.object({ node: z.string(), branch: z.nullable(z.string()) })),
  ...progress,
  /** When it began; null where the journal does not say. */
  began_at: z.nullable(utcTime),
  /** Of `each`: how many of its items are done, and of how many; `total` is null where that is not known yet. */
  items: z.nullable(z.object({ done: count, total: z.nullable(count) })),
});
export type RunNode = z.output<typeof runNode>;

/** One item of an `each`. */
export const runNodeItem = z.object({
  /** From 0. */
  index: count,
  ...progress,
  /** The beginning of the item as JSON text; null where it is not known. */
  preview: z.nullable(z.string()),
});
export type RunNodeItem = z.output<typeof runNodeItem>;

/** A value that may be large, or not known. */
export const nodeValue = z.object({
  known: z.boolean(),
  /** Why it is not known: a sentence. */
  reason: z.nullable(z.string()),
  /** Null also where it was cut. */
  value: json,
  /** Of its JSON text, in characters; null where it is not known. */
  size: z.nullable(count),
  /** Of a value that was cut, the beginning of its JSON text. */
  beginning: z.nullable(z.string()),
});
export type NodeValue = z.output<typeof nodeValue>;

/** Characters of JSON text up to which values come whole without being asked for. */
export const wholeValue = 65_536;

const own = { tier: "own", capability: "run_nodes", section: "Nodes of a run" } as const;

/** Own: every node of the flow as it was run, in its order, with states from the journal. */
export const listRunNodes = endpoint({
  ...own,
  name: "listRunNodes",
  summary: "Get the states of a run's nodes",
  method: "GET",
  path: "/runs/{run_id}/nodes",
  kind: "read",
  params: z.object({ run_id: text }),
  response: z.object({
    run_id: z.string(),
    state: runState,
    /** False: this release cannot read the flow that was run, and `nodes` is empty. */
    readable: z.boolean(),
    nodes: z.array(runNode),
  }),
  conditional: true,
  errors: ["not_found"],
});

/** Own: what went into one node, or one item of `each`, and what came out. */
export const getRunNode = endpoint({
  ...own,
  name: "getRunNode",
  summary: "Get a node's inputs and output",
  method: "GET",
  path: "/runs/{run_id}/nodes/{node_id}",
  kind: "read",
  params: z.object({ run_id: text, node_id: text }),
  query: z.object({
    /** Of `each`: the item, from 0. */
    item: z.optional(integer(0, 1_000_000)),
    /** `true`: values as they are, however large. */
    whole: z.optional(flag),
  }),
  response: z.object({
    /** Fields with their templates filled in. What a flow may hold secrets in is left out. */
    inputs: nodeValue,
    output: nodeValue,
  }),
  conditional: true,
  errors: ["not_found"],
});

/** Own: the items of an `each` in their order. */
export const listRunNodeItems = endpoint({
  ...own,
  name: "listRunNodeItems",
  summary: "List the items of a node that does one thing for each",
  method: "GET",
  path: "/runs/{run_id}/nodes/{node_id}/items",
  kind: "read",
  params: z.object({ run_id: text, node_id: text }),
  query: z.object({
    /** One or several states, separated by commas. */
    state: z.optional(commaList),
    ...page,
  }),
  response: z.object({
    items: z.array(runNodeItem),
    next_cursor: nextCursor,
  }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_cursor"],
});
