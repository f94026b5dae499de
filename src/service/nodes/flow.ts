import { z } from "zod";
import { isJsonObject, type JsonObject, ownField } from "../json.ts";
import { checkLimit, childLimitField } from "./child-limit.ts";
import { commonFields, defineNode, done, NodeError } from "./node.ts";

/** The shape of ids of flows: letters, digits, - and _. */
const flowId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_-]*$/, "must hold letters, digits, - and _ only");

/** Runs another flow as a run of its own and waits for its end without holding a worker. */
export const flow = defineNode({
  type: "flow",
  schema: z.strictObject({
    type: z.literal("flow"),
    ...commonFields,
    ...childLimitField,
    flow: flowId,
    /** By the names of that flow's inputs. */
    inputs: z.record(z.string().min(1).max(100), z.json()).default({}),
  }),
  outputs: ["value", "run_id"],
  literals: ["flow"],
  waits: true,
  async run({ config, fields, facts, services, steps }) {
    const child = steps.get("child");
    if (child?.state === "waiting") {
      checkLimit(steps, config.timeout_s);
      return { type: "waiting" };
    }
    if (child?.state === "failed") throw new NodeError(child.error ?? `the run of ${config.flow} failed`);
    if (child) return done({ value: ownField(child.output, "outputs") ?? {}, run_id: child.childId });
    const found = await services.findFlow(config.flow, facts);
    if (!found) throw new NodeError(`there is no flow "${config.flow}" that this run may use`);
    const values: JsonObject = isJsonObject(fields.inputs) ? fields.inputs : {};
    const id = services.ids.make("run");
    const started = { id, kind: "pipeline", subjectId: found.id, userId: facts.userId, teamId: facts.teamId };
    const run = { ...started, input: found.startInput(values) };
    const lines = [`started ${id} of ${found.id} (${found.name})`];
    await steps.spawn("child", run, lines, { limitSeconds: config.timeout_s });
    return { type: "waiting" };
  },
});
