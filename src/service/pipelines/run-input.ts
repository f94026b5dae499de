import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { toJson } from "../json.ts";
import { type Definition, definition } from "./definition.ts";

/**
 * The `input` of a pipeline run's execution. It keeps its own copy of the flow, so that a later edit does not change a
 * run that has begun.
 */
export const runInput = z.object({
  /** The flow's name when the run started. */
  name: z.string(),
  definition,
  /** Values that the start gave, by input name. An input that is missing here was not given. */
  inputs: z.record(z.string(), z.json()),
  /** The whole body as sent; kept only for flows with a webhook input. */
  body: z.string().default(""),
});

/** What an execution of kind `pipeline` starts with. */
export function writeRunInput(
  flow: { name: string; definition: Definition },
  inputs: JsonObject,
  body: string,
) {
  const { name, definition } = flow;
  const hook = definition.nodes.some(({ node }) => node.type === "webhook_input");
  return toJson({ name, definition, inputs, body: hook ? body : "" });
}
