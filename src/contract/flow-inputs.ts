import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { owner } from "./flows.ts";
import { openEnum } from "./open-enum.ts";
import { json, text } from "./wire.ts";

/** An input node of a flow. */
export const flowInput = z.object({
  name: z.string(),
  data_type: openEnum(["string", "file"]),
  description: z.nullable(z.string()),
  /** Own: a run without it fails at that input. */
  required: z.optional(z.boolean()),
  /** Own: what it is where nothing is given; absent where that is an empty text. */
  default: z.optional(json),
});
export type FlowInput = z.output<typeof flowInput>;

/** Public: the named inputs of a flow, in the order of the flow. */
export const getInputs = endpoint({
  name: "getInputs",
  tier: "public",
  capability: "flow_inputs",
  section: "History, teams, sessions",
  summary: "Get the inputs of a saved item",
  method: "GET",
  path: "/get_inputs",
  kind: "read",
  query: z.object({ saved_item_id: text, ...owner }),
  response: z.object({
    inputs: z.array(flowInput),
    /** Own: it has a webhook input, which gets the whole body as one text. */
    webhook: z.optional(z.boolean()),
  }),
  errors: ["not_found"],
});
