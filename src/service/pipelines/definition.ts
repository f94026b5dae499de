import { z } from "zod";
import { nodeId } from "../nodes/node.ts";
import { nodeTypes } from "../nodes/registry.ts";

const [first, ...rest] = nodeTypes;

/** One node of a flow: its type decides its fields, and a field that it does not have is an error. */
export const node = z.discriminatedUnion("type", [first.schema, ...rest.map((type) => type.schema)]);
export type NodeDefinition = z.output<typeof node>;

/** The nodes of a flow by their ids. Order means nothing to a run; lists and logs follow it. */
export const definition = z.strictObject({
  nodes: z.record(nodeId, node).refine((nodes) => Object.keys(nodes).length > 0, {
    error: "must hold at least one node",
  }),
});
/** What is stored of a flow and what a run keeps a copy of, so that a later edit does not change it. */
export type Definition = z.output<typeof definition>;

/** The most nodes of one flow. */
export const mostNodes = 500;
