import { z } from "zod";
import { commonFields, defineNode } from "./node.ts";

/** Text with values filled in (Liquid). A text that is exactly one `{{ … }}` passes the value itself. */
export const template = defineNode({
  type: "template",
  schema: z.strictObject({ type: z.literal("template"), ...commonFields, text: z.string().max(1_000_000) }),
  outputs: ["value"],
  workOut: ({ fields }) => ({ value: fields.text ?? null }),
});
