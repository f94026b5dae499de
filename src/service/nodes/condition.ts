import { z } from "zod";
import { commonFields, defineNode } from "./node.ts";

/** The name of the branch that is taken where no condition holds. */
const otherwise = "otherwise";

const branch = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);

/** Takes the first branch whose condition holds; nodes with `when: <node>.<branch>` of the others are skipped. */
export const condition = defineNode({
  type: "condition",
  schema: z.strictObject({
    type: z.literal("condition"),
    ...commonFields,
    /** Judged in order, as Liquid conditions such as `amount.value > 100`. */
    branches: z
      .array(
        z.strictObject({
          name: branch.refine((name) => name !== otherwise, {
            error: `"${otherwise}" is there by itself: it is taken when no condition holds`,
          }),
          if: z.string().min(1).max(10_000),
        }),
      )
      .min(1)
      .max(50),
  }),
  outputs: ["value"],
  conditions: ["branches"],
  branches: { field: "value", of: ({ branches }) => [...branches.map(({ name }) => name), otherwise] },
  async workOut({ config, holds, say }) {
    let value = otherwise;
    for (const [index, { name }] of config.branches.entries()) {
      if (!(await holds("branches", index))) continue;
      value = name;
      break;
    }
    say(`takes ${value}`);
    return { value };
  },
});
