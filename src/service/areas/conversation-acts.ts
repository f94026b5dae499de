import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { type Actor, resolveActor } from "../permission/actor.ts";
import { mayReadExecution, mayStop } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import { personById } from "./console.ts";
import type { Caller, Handlers } from "./handler.ts";
import { findInteraction, wireStates } from "./interactions.ts";

type ConversationActs = Pick<Handlers<typeof endpoints>, "stopTurn">;

/**
 * Own. Kills the execution that the conversation is in: of a stop, an end and another stop at once exactly one happens, and
 * a turn that began meanwhile is another execution, which this does not reach.
 */
const stopTurn: ConversationActs["stopTurn"] = async (context, { caller, params, body }) => {
  const actor = resolveActor(caller, body, "never");
  const row = await ownInteraction(context, caller, params.interaction_id);
  const isMeant = body.message_id == null || (await isOfTurn(context, row, body.message_id));
  const isStopped =
    isMeant &&
    row.state === "processing" &&
    (await context.engine.kill(row.execution_id, `Stopped by ${await nameOf(context, actor)}.`)).killed;
  const now = (await findInteraction(context, row.id)) ?? row;
  return {
    type: "body",
    body: { interaction_id: row.id, stopped: isStopped, state: wireStates[now.state] },
  };
};

/** A conversation that the caller may go on with, and so may stop. */
async function ownInteraction(context: Context, caller: Caller, id: string) {
  const row = await findInteraction(context, id);
  const owner = row && { userId: row.user_id, teamId: row.team_id };
  if (row === null || owner === null || !mayReadExecution(caller, owner)) {
    throw new ServiceError("interaction_not_found", { param: "interaction_id" });
  }
  if (!mayStop(caller, owner)) {
    throw new ServiceError("unauthorized_interaction_access", { param: "interaction_id" });
  }
  return row;
}

/** Whether this is the message that the newest turn answers. */
async function isOfTurn(
  { store }: Context,
  { id, turn }: { readonly id: string; readonly turn: number },
  messageId: string,
): Promise<boolean> {
  const found = await store.db
    .selectFrom("messages")
    .select("seq")
    .where("interaction_id", "=", id)
    .where("id", "=", messageId)
    .executeTakeFirst();
  return found?.seq === turn * 2 - 1;
}

async function nameOf(context: Context, { userId }: Actor): Promise<string> {
  if (userId === null) return "a key of the team";
  const { first_name, last_name, email } = await personById(context, userId);
  return first_name || last_name || email || userId;
}

export const conversationActs: ConversationActs = { stopTurn };
