import { z } from "zod";
import { commonFields, defineNode, done } from "./node.ts";

/** Text with values filled in (Liquid). A text that is exactly one `{{ … }}` passes the value itself. */
export const template = defineNode({
  type: "template",
  isRepeatable: true,
  schema: z.strictObject({ type: z.literal("template"), ...commonFields, text: z.string().max(1_000_000) }),
  outputs: ["value"],
  run: async ({ fields }) => done({ value: fields.text ?? null }),
});
