import { z } from "zod";
import { nodeId } from "../nodes/node.ts";
import { nodeTypes } from "../nodes/registry.ts";

const [first, ...rest] = nodeTypes;

/** One node of a flow: its type decides its fields, and a field that it does not have is an error. */
export const node = z.discriminatedUnion("type", [first.schema, ...rest.map((type) => type.schema)]);
export type NodeDefinition = z.output<typeof node>;

/** The most nodes of one flow. */
export const maxNodes = 500;

/**
 * What is stored of a flow, and what a run keeps a copy of. A list, because a JSON object whose
 * keys are whole numbers has an order of its own, and inputs are shown in the order of the flow.
 */
export const definition = z.strictObject({ nodes: z.array(z.strictObject({ id: nodeId, node })) });
export type Definition = z.output<typeof definition>;

/** The name under which callers know an input or output node. */
export function nameOf(id: string, config: { readonly name?: string | undefined }): string {
  return config.name ?? id;
}

/** The named inputs of a flow, in its order. */
export function inputsOf(flow: Definition) {
  return flow.nodes.flatMap(({ id, node: config }) => {
    return config.type === "input" ? [{ id, name: nameOf(id, config), config }] : [];
  });
}
