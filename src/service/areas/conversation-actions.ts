import { type Selectable, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { nothingChanged, type Recorded, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { isRestorable } from "../files/purge-deleted.ts";
import { type Actor, resolveActor } from "../permission/actor.ts";
import { type ExecutionOwner, mayDelete, mayReadExecution, mayStop } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";
import { personById } from "./console.ts";
import { raiseRelatives } from "./copy-conversation.ts";
import type { Caller, Handlers } from "./handler.ts";
import { findInteraction, noInteraction, wireStates } from "./interactions.ts";

type ConversationActs = Pick<
  Handlers<typeof endpoints>,
  "stopTurn" | "deleteConversation" | "restoreConversation"
>;
type Row = Selectable<InteractionsTable>;

/**
 * Own. Kills the execution that the conversation is in: of a stop, an end and another stop at once exactly one happens, and
 * a turn that began meanwhile is another execution, which this does not reach.
 */
const stopTurn: ConversationActs["stopTurn"] = async (context, request) => {
  const { caller, params, body } = request;
  const actor = resolveActor(caller, body, "never");
  const row = checkedConversation(caller, await findInteraction(context, params.interaction_id), mayStop);
  const isMeant = body.message_id == null || (await isOfTurn(context, row, body.message_id));
  let recorded: Recorded = nothingChanged();
  const within = async (tx: Tx) => {
    const object = { kind: "conversation", id: row.id } as const;
    const event = {
      action: "conversation.stop",
      object,
      teamId: row.team_id,
      forUserId: actor.userId,
    } as const;
    recorded = await record(tx, request, event);
  };
  const isStopped =
    isMeant &&
    row.state === "processing" &&
    (await context.engine.kill(row.execution_id, `Stopped by ${await nameOf(context, actor)}.`, within))
      .killed;
  const now = (await findInteraction(context, row.id)) ?? row;
  return {
    type: "body",
    body: { interaction_id: row.id, stopped: isStopped, state: wireStates[now.state] },
    recorded,
  };
};

/** Own. The one conditional UPDATE decides between a deletion and a turn that begins at the same time. */
const deleteConversation: ConversationActs["deleteConversation"] = async (context, request) => {
  const { caller, params } = request;
  const row = checkedConversation(caller, await findInteraction(context, params.interaction_id), mayDelete);
  const recorded = await context.store.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("interactions")
      .set({ deleted_at: sql`now()`, revision: sql`revision + 1` })
      .where("id", "=", row.id)
      .where("deleted_at", "is", null)
      .where("state", "<>", "processing")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    await raiseRelatives(tx, row.id);
    const object = { kind: "conversation", id: row.id } as const;
    return await record(tx, request, { action: "conversation.delete", object, teamId: row.team_id });
  });
  if (recorded !== null) return { type: "none", recorded };
  if ((await findInteraction(context, row.id)) === null) throw noInteraction();
  throw new ServiceError("interaction_not_in_terminal_state", {
    message: "The agent is still working on this conversation: stop its turn first, then delete it.",
    param: "interaction_id",
  });
};

/** It is there, or it was deleted less than a day ago and is not erased: the eraser's time may be ahead of a restoring's that waited. */
const isKept = sql<boolean>`(deleted_at is null or ${isRestorable("deleted_at")} and erased_at is null)`;

/** Own. Nothing to do for one that is there; after its day it is gone for good. */
const restoreConversation: ConversationActs["restoreConversation"] = async (context, request) => {
  const { caller, params } = request;
  const { db } = context.store;
  const found = await db
    .selectFrom("interactions")
    .selectAll()
    .where("id", "=", params.interaction_id)
    .where(isKept)
    .executeTakeFirst();
  const row = checkedConversation(caller, found ?? null, mayDelete);
  const { state, recorded } = await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom("interactions")
      .select("deleted_at")
      .where("id", "=", row.id)
      .where(isKept)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw noInteraction();
    const { state } = await tx
      .updateTable("interactions")
      .set({ deleted_at: null, revision: sql`revision + 1` })
      .where("id", "=", row.id)
      .returning("state")
      .executeTakeFirstOrThrow();
    if (before.deleted_at === null) return { state, recorded: nothingChanged() };
    await raiseRelatives(tx, row.id);
    const object = { kind: "conversation", id: row.id } as const;
    const event = { action: "conversation.restore", object, teamId: row.team_id } as const;
    return { state, recorded: await record(tx, request, event) };
  });
  return { type: "body", body: { interaction_id: row.id, state: wireStates[state] }, recorded };
};

/** A conversation with which the caller may do this; whoever may not even read it hears that there is none. */
export function checkedConversation(
  caller: Caller,
  row: Row | null,
  may: (caller: Caller, owner: ExecutionOwner) => boolean,
): Row {
  const owner = row && { userId: row.user_id, teamId: row.team_id };
  if (row === null || owner === null || !mayReadExecution(caller, owner)) throw noInteraction();
  if (!may(caller, owner)) {
    throw new ServiceError("unauthorized_interaction_access", { param: "interaction_id" });
  }
  return row;
}

/** Whether this is the message that the newest turn answers. */
async function isOfTurn({ store }: Context, { id, turn }: Row, messageId: string): Promise<boolean> {
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
  return [first_name, last_name].filter(Boolean).join(" ") || email || userId;
}

export const conversationActionHandlers: ConversationActs = {
  stopTurn,
  deleteConversation,
  restoreConversation,
};
