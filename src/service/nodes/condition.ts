import { z } from "zod";
import { parseCondition } from "../pipelines/template.ts";
import { commonFields, defineNode, done } from "./node.ts";

/** The name of the branch that is taken where no condition holds. */
export const otherwise = "otherwise";

const branch = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);

/** Takes the first branch whose condition holds; nodes with `when: <node>.<branch>` of the others are skipped. */
export const condition = defineNode({
  type: "condition",
  schema: z.strictObject({
    type: z.literal("condition"),
    ...commonFields,
    branches: z
      .record(branch, z.string().min(1).max(10_000))
      .refine((branches) => !Object.hasOwn(branches, otherwise), {
        error: `"${otherwise}" is there by itself: it is taken when no condition holds`,
      })
      .refine((branches) => Object.keys(branches).length > 0, { error: "must hold at least one branch" }),
  }),
  outputs: ["value"],
  conditions: ["branches"],
  async run({ config, scope, say }) {
    const held = Object.entries(config.branches).find(([, text]) => parseCondition(text).holds(scope));
    const value = held?.[0] ?? otherwise;
    say(`takes ${value}`);
    return done({ value });
  },
});
