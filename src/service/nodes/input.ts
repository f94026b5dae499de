import { z } from "zod";
import { commonFields, defineNode, NodeError } from "./node.ts";

const name = z.string().min(1).max(100);

/** §4.3 rules 2 and 3: a named value of the start; else its default, else "". Required and missing fails the run here. */
export const input = defineNode({
  type: "input",
  schema: z.strictObject({
    type: z.literal("input"),
    ...commonFields,
    /** The name under which callers give the value; the node's id where it is missing. */
    name: name.optional(),
    data_type: z.enum(["string", "file"]).default("string"),
    required: z.boolean().default(false),
    default: z.json().optional(),
  }),
  outputs: ["value"],
  literals: ["name", "data_type", "required", "default"],
  workOut({ id, config, facts }) {
    if (Object.hasOwn(facts.given, id)) return { value: facts.given[id] ?? null };
    if (config.required)
      throw new NodeError(`the input "${config.name ?? id}" is required and was not given`);
    return { value: config.default ?? "" };
  },
});

/** §4.3 rule 1: the entire body of the start as one string, exactly as sent. */
export const webhookInput = defineNode({
  type: "webhook_input",
  schema: z.strictObject({ type: z.literal("webhook_input"), ...commonFields }),
  outputs: ["value"],
  workOut: ({ facts }) => ({ value: facts.body }),
});

/** A named output of the run (§2.2 `outputs`). */
export const output = defineNode({
  type: "output",
  schema: z.strictObject({
    type: z.literal("output"),
    ...commonFields,
    /** The name in `outputs`; the node's id where it is missing. */
    name: name.optional(),
    value: z.json(),
  }),
  outputs: ["value"],
  literals: ["name"],
  workOut: ({ fields }) => ({ value: fields.value ?? null }),
});
