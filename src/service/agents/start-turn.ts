import { sql } from "kysely";
import { messageWords } from "../../contract/command.ts";
import type { Ids } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import type { Actor } from "../permission/actor.ts";
import { storableText } from "../store/json.ts";
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
 * Opens a conversation with its first message, in the caller's transaction (§3.1).
 * @param type who talks: `api`, `console`, `flow`
 * @returns the turn, to be started by the engine or spawned by a journal in the same transaction
 */
export async function openConversation(
  tx: Tx,
  ids: Ids,
  { agent, actor, message }: TurnStart,
  type: string,
): Promise<NewExecution> {
  const turn: NewExecution = {
    id: ids.make("turn"),
    kind: turnKind,
    subjectId: ids.make("int"),
    ...actor,
    input: makeTurnInput(agent, 1),
  };
  await tx
    .insertInto("interactions")
    .values({
      id: turn.subjectId,
      agent_id: agent.id,
      user_id: actor.userId,
      team_id: actor.teamId,
      type,
      state: "processing",
      name: nameOf(message),
      execution_id: turn.id,
      error: null,
    })
    .execute();
  await insertMessage(tx, ids, turn.subjectId, 1, message);
  return turn;
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
  await insertMessage(tx, ids, interactionId, seq, message);
  const input = makeTurnInput(agent, seq);
  return { id, kind: turnKind, subjectId: interactionId, userId, teamId: row.team_id, input };
}

async function insertMessage(
  tx: Tx,
  ids: Ids,
  interactionId: string,
  seq: number,
  message: string,
): Promise<void> {
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
}

/** The beginning of the first message, on one line. */
function nameOf(message: string): string {
  const line = storableText(messageWords(message.slice(0, 20_000)).slice(0, 400))
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > nameCharacters ? `${line.slice(0, nameCharacters - 1)}…` : line;
}
