import { z } from "zod";
import type { JsonObject } from "../json.ts";
import { type Definition, definition } from "./definition.ts";

/** The `input` of a pipeline run's execution. A later edit of the flow does not change a run that has begun. */
export const runInput = z.object({
  /** The flow's name when the run started. */
  name: z.string(),
  /** What the flow was then, in `flow_versions`. */
  version: z.string().optional(),
  /** The same, as runs of before versions were kept have it themselves. */
  definition: definition.optional(),
  /** Values that the start gave, by input name. An input that is missing here was not given. */
  inputs: z.record(z.string(), z.json()),
  /** The whole body as sent; kept only for flows with a webhook input. */
  body: z.string().default(""),
});

/** What an execution of kind `pipeline` starts with. */
export function writeRunInput(
  flow: { readonly name: string; readonly version: string; readonly definition: Definition },
  inputs: JsonObject,
  body: string,
): JsonObject {
  const { name, version, definition } = flow;
  return { name, version, inputs, ...(hasWebhook(definition) ? { body } : {}) };
}

/** Whether a flow has a webhook input, which gets the whole body as one text. */
export const hasWebhook = ({ nodes }: Definition): boolean =>
  nodes.some(({ node }) => node.type === "webhook_input");
