import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";
import type { StoredPart } from "./parts.ts";

/** One message as it is stored. */
export interface StoredMessage {
  readonly seq: number;
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string | null;
  readonly createdAt: Date;
  readonly parts: readonly StoredPart[];
}

/** The messages of a conversation in order, each with its parts. */
export async function readMessages(db: Kysely<Database>, interactionId: string): Promise<StoredMessage[]> {
  const { rows } = await sql<{
    seq: number;
    id: string;
    role: "user" | "assistant";
    content: string | null;
    created_at: Date;
    // Only `conversation-writes.ts` writes them, and it writes nothing else.
    parts: StoredPart[] | null;
  }>`
    select seq, id, role, content, created_at,
           (select json_agg(part order by message_parts.seq) from message_parts
             where interaction_id = messages.interaction_id and message_seq = messages.seq) as parts
      from messages where interaction_id = ${interactionId} order by seq`.execute(db);
  return rows.map(({ created_at, parts, ...message }) => {
    return { ...message, createdAt: created_at, parts: parts ?? [] };
  });
}

/** When a turn was asked for and when it ended, which is null while it goes on. */
export interface TurnTimes {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** The times of a conversation's turns, by the `seq` of their answers. */
export async function readTurnTimes(
  db: Kysely<Database>,
  interactionId: string,
): Promise<ReadonlyMap<number, TurnTimes>> {
  const rows = await db
    .selectFrom("executions")
    .select(["created_at", "finished_at", sql<number>`(input->>'messageSeq')::integer`.as("question")])
    .where("subject_id", "=", interactionId)
    .where("kind", "=", "turn")
    .execute();
  return new Map(
    rows.map(({ created_at, finished_at, question }) => [
      question + 1,
      { startedAt: created_at, finishedAt: finished_at },
    ]),
  );
}
