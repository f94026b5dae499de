import { type Kysely, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Session } from "../../contract/sessions.ts";
import { findAgentOrAlias, ownerOf } from "../agents/agent-rows.ts";
import { turnsBefore } from "../agents/conversation.ts";
import { copyConversation as writeCopy } from "../agents/copy-conversation.ts";
import { shownChange } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { actorAgain } from "../permission/actor.ts";
import { mayContinue, readableInteractions } from "../permission/executions.ts";
import { mayUseAgent } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { checkedConversation } from "./conversation-actions.ts";
import type { Caller, Handlers } from "./handler.ts";
import { type StartRequest, startOnce, unlessStarted } from "./idempotent-start.ts";
import { findInteraction, touchConversation, typeOf } from "./interactions.ts";

type CopyConversation = Pick<Handlers<typeof endpoints>, "copyConversation">;
type Copying = Parameters<CopyConversation["copyConversation"]>[1];

/** Own: writes the copy with the start of its turn, in one transaction. */
const copyConversation: CopyConversation["copyConversation"] = (context, request) => {
  const { caller, params, body, headerFields } = request;
  const once: StartRequest = {
    ...{ endpoint: "copyConversation", caller, key: headerFields["Idempotency-Key"], inputs: [] },
    content: () => [params.interaction_id, body.before_message_id, body.message],
  };
  return unlessStarted(context, once, () => begin(context, request, once));
};

async function begin(context: Context, request: Copying, once: StartRequest) {
  const { caller, params, body } = request;
  const found = await findInteraction(context, params.interaction_id);
  const { id, name, agent_id, user_id, team_id } = checkedConversation(caller, found, mayContinue);
  const actor = actorAgain(caller, { userId: user_id, teamId: team_id });
  const agent = await findAgentOrAlias(context, actor.userId, agent_id);
  if (agent === null) throw new ServiceError("gummie_not_found", { param: "interaction_id" });
  if (!mayUseAgent(caller, actor, ownerOf(agent))) throw new ServiceError("unauthorized_gummie_access");
  const { before_message_id: messageId, message } = body;
  const seq = await seqOf(context, id, messageId);
  const { answer, recorded } = await startOnce(context.engine, once, async (tx, start) => {
    // It tells the original's readers of the copy, and waits for a deletion of the same moment.
    await touchConversation(tx, id);
    const turn = await writeCopy(
      tx,
      context,
      { id, name, messageId, seq },
      { agent, actor, message },
      typeOf(request),
    );
    await start(turn);
    const recorded = await record(tx, request, {
      action: "conversation.copy",
      object: { kind: "conversation", id: turn.subjectId, name: agent.name },
      teamId: actor.teamId,
      forUserId: actor.userId,
      changes: [shownChange("copy", null, id)],
    });
    return { answer: { interaction_id: turn.subjectId, status: "processing" }, recorded };
  });
  return { type: "body" as const, body: answer, recorded };
}

/** @throws ServiceError `invalid_body` where that is no message of a person in this conversation */
async function seqOf({ store }: Context, id: string, messageId: string): Promise<number> {
  const row = await store.db
    .selectFrom("messages")
    .select("seq")
    .where("interaction_id", "=", id)
    .where("id", "=", messageId)
    .where("role", "=", "user")
    .executeTakeFirst();
  if (row !== undefined) return row.seq;
  const message = "before_message_id is no message of a person in this conversation.";
  throw new ServiceError("invalid_body", { message, param: "before_message_id" });
}

/** The conversation that this one is a copy of, and its copies, are other ones to their readers: it went or came back. */
export async function raiseRelatives(tx: Tx, id: string): Promise<void> {
  await sql`update interactions set revision = revision + 1 where id in (
    select origin_id from conversation_copies where copy_id = ${id}
     union all select copy_id from conversation_copies where origin_id = ${id})`.execute(tx);
}

/** Of a list that is longer the newest. */
const mostShown = 10;

/** What a conversation is a copy of, and its copies, as far as the caller may read them. */
export async function readCopies(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
): Promise<Required<Pick<Session, "copy_of" | "copies">>> {
  const others = db
    .selectFrom("conversation_copies")
    .select(["conversation_copies.message_id", "conversation_copies.before_seq"]);
  const of = await others
    .leftJoin("interactions", (join) =>
      join.onRef("interactions.id", "=", "origin_id").on(readableInteractions(caller)),
    )
    .leftJoin("agents", "agents.id", "interactions.agent_id")
    .select(["interactions.id", "interactions.name", sql<string>`coalesce(alias, agents.id)`.as("agent_id")])
    .where("copy_id", "=", id)
    .executeTakeFirst();
  const copies = await others
    .innerJoin("interactions", "interactions.id", "copy_id")
    .innerJoin("agents", "agents.id", "interactions.agent_id")
    .select(["interactions.id", "interactions.name", sql<string>`coalesce(alias, agents.id)`.as("agent_id")])
    .select("interactions.created_at")
    .where("origin_id", "=", id)
    .where(readableInteractions(caller))
    .orderBy("interactions.created_at", "desc")
    .orderBy("interactions.id")
    .limit(mostShown)
    .execute();
  return {
    copy_of:
      of === undefined
        ? null
        : {
            turns: turnsBefore(of.before_seq),
            session: of.id === null ? null : { id: of.id, agent_id: of.agent_id, name: of.name },
            message_id: of.id === null ? null : of.message_id,
          },
    copies: copies.map((copy) => ({
      ...{ id: copy.id, agent_id: copy.agent_id, name: copy.name, turns: turnsBefore(copy.before_seq) },
      created_at: copy.created_at.toISOString(),
    })),
  };
}

export const copyConversationHandlers: CopyConversation = { copyConversation };
