import { z } from "zod";
import { fits, textLimits } from "../../contract/limits.ts";
import { ownField } from "../json.ts";
import { checkLimit, childLimitField } from "./child-limit.ts";
import { actorFor, credentialsField } from "./credentials.ts";
import { commonFields, defineNode, done, NodeError, textField } from "./node.ts";

/** Sends one message to an agent in a conversation of its own, and waits for the answer without holding a worker. */
export const agent = defineNode({
  type: "agent",
  schema: z.strictObject({
    type: z.literal("agent"),
    ...commonFields,
    ...childLimitField,
    /** The agent's id. */
    agent: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[A-Za-z0-9_-]*$/, "must hold letters, digits, - and _ only"),
    message: z.string().min(1),
    ...credentialsField,
  }),
  outputs: ["value", "interaction_id"],
  literals: ["agent", "credentials"],
  waits: true,
  async run({ config, fields, facts, services, steps }) {
    const turn = steps.get("turn");
    if (turn?.state === "waiting") {
      checkLimit(steps, config.timeout_s);
      return { type: "waiting" };
    }
    if (turn?.state === "failed") throw new NodeError(turn.error ?? `the agent ${config.agent} failed`);
    if (turn) {
      const field = (name: string) => ownField(turn.output, name) ?? null;
      return done({ value: field("response"), interaction_id: field("interaction_id") });
    }
    const message = textField(fields, "message");
    if (message.trim() === "") throw new NodeError("the message is empty");
    if (!fits(message, textLimits.message)) {
      throw new NodeError(
        `the message must have at most ${textLimits.message.toLocaleString("en-US")} characters`,
      );
    }
    const actor = actorFor(config.credentials, facts, config.agent);
    const opened = await services.openTurn(config.agent, actor, message);
    if (!opened) throw new NodeError(`there is no agent "${config.agent}" that this run may use`);
    const lines = [`asks ${config.agent} in the conversation ${opened.child.subjectId}`];
    const { child, within } = opened;
    await steps.spawn("turn", child, lines, { within, limitSeconds: config.timeout_s });
    return { type: "waiting" };
  },
});
