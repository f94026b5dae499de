import { z } from "zod";
import { CodeError } from "./code-runner.ts";
import { commonFields, defineNode, done, NodeError, outsideFields } from "./node.ts";

/**
 * Runs JavaScript in a sandbox without network, files or modules. The source is the body of a function with one
 * argument, `inputs`; what it returns is the value, lines of `console.log` go into the log. No templates in the source:
 * values come in through `inputs` only, so data never become code.
 */
export const code = defineNode({
  type: "code",
  schema: z.strictObject({
    type: z.literal("code"),
    ...commonFields,
    ...outsideFields,
    source: z.string().min(1).max(100_000),
    inputs: z.record(z.string().min(1).max(100), z.json()).default({}),
  }),
  outputs: ["value"],
  literals: ["source"],
  timeoutMs: 10_000,
  // What a thread waits for a core of the machine is not the code's own time, and only the thread knows it.
  timesItself: true,
  staysInside: true,
  async run({ config, fields, services, requester, timeoutMs, say }) {
    try {
      const limitMs = timeoutMs ?? 10_000;
      const inputs = fields.inputs ?? {};
      return done({
        value: await services.code.run(config.source, inputs, { limitMs, requester, onLine: say }),
      });
    } catch (error) {
      if (error instanceof CodeError)
        throw new NodeError(error.message, { passing: error.overran, cause: error });
      throw error;
    }
  },
});
