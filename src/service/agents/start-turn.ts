import { sql } from "kysely";
import { messageWords } from "../../contract/command.ts";
import type { Ids } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import type { RowsOfStart } from "../engine/start.ts";
import type { Actor } from "../permission/actor.ts";
import { type JsonValue, storableText, toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import type { AgentRow } from "./agent-rows.ts";
import { turnKind } from "./turn.ts";
import { makeTurnInput } from "./turn-input.ts";

/** What a turn begins with. The caller has checked that the actor may use the agent. */
export interface TurnStart {
  readonly agent: AgentRow;
  readonly actor: Actor;
  readonly message: string;
}

/** What a conversation goes on with: who speaks. For which team is the conversation's to say. */
export interface TurnContinued {
  readonly agent: AgentRow;
  readonly userId: string | null;
  readonly message: string;
}

const nameCharacters = 80;

/**
 * A conversation with its first message (§3.1), to be written with the start of its turn.
 * @param type who talks: `api`, `console`, `flow`
 */
export function newConversation(
  ids: Ids,
  { agent, actor, message }: TurnStart,
  type: string,
): { readonly turn: NewExecution; readonly rows: RowsOfStart } {
  const turn: NewExecution = {
    id: ids.make("turn"),
    kind: turnKind,
    subjectId: ids.make("int"),
    ...actor,
    input: makeTurnInput(agent, 1),
  };
  const row = {
    ...{ id: turn.subjectId, execution_id: turn.id, agent_id: agent.id, type, name: nameOf(message) },
    ...{ user_id: actor.userId, team_id: actor.teamId },
    ...{ message_id: ids.make("msg"), content: storableText(message) },
  };
  return { turn, rows: { write: conversationRows, row } };
}

/** Writes such a conversation in the caller's transaction, which starts its turn. */
export async function writeConversation(tx: Tx, { write, row }: RowsOfStart): Promise<void> {
  await sql`with ${write([row])} select`.execute(tx);
}

function conversationRows(rows: readonly JsonValue[]) {
  return sql`opened as (
      select * from json_to_recordset(${toJson(rows)}::json) as opened (id text, execution_id text, agent_id text,
        type text, name text, user_id text, team_id text, message_id text, content text)
    ), opened_interactions as (
      insert into interactions (id, agent_id, user_id, team_id, type, state, name, execution_id)
      select id, agent_id, user_id, team_id, type, 'processing', name, execution_id from opened
    ), first_messages as (
      insert into messages (interaction_id, seq, id, role, content)
      select id, 1, message_id, 'user', content from opened
    )`;
}

/**
 * Appends a message to a conversation that is not processing, in the caller's transaction. The one conditional UPDATE
 * decides: of a thousand at once one gets the turn. The turn acts for the team that the conversation belongs to, as all
 * of its members read what comes of it.
 * @returns null when the conversation is processing (§3.1, 409), or was deleted
 */
export async function continueConversation(
  tx: Tx,
  ids: Ids,
  interactionId: string,
  { agent, userId, message }: TurnContinued,
): Promise<NewExecution | null> {
  const id = ids.make("turn");
  const row = await tx
    .updateTable("interactions")
    .set({
      state: "processing",
      error: null,
      execution_id: id,
      turn: sql`turn + 1`,
      revision: sql`revision + 1`,
      updated_at: sql`now()`,
    })
    .where("id", "=", interactionId)
    .where("state", "<>", "processing")
    .where("deleted_at", "is", null)
    .returning(["turn", "team_id"])
    .executeTakeFirst();
  if (row === undefined) return null;
  // Two messages for each turn, the person's first.
  const seq = row.turn * 2 - 1;
  await tx
    .insertInto("messages")
    .values({
      interaction_id: interactionId,
      seq,
      id: ids.make("msg"),
      role: "user",
      content: storableText(message),
    })
    .execute();
  const input = makeTurnInput(agent, seq);
  return { id, kind: turnKind, subjectId: interactionId, userId, teamId: row.team_id, input };
}

/** What a conversation is called: the beginning of its first message, on one line. */
export function nameOf(message: string): string {
  const line = storableText(messageWords(message.slice(0, 20_000)).slice(0, 400))
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line.length <= nameCharacters) return line;
  // Of an emoji that is cut nothing is left.
  return `${line.slice(0, nameCharacters - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
