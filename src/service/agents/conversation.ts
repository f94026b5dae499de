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
  const rows = await db
    .selectFrom("messages")
    .selectAll()
    .where("interaction_id", "=", interactionId)
    .orderBy("seq")
    .execute();
  const parts = await db
    .selectFrom("message_parts")
    .select(["message_seq", "part"])
    .where("interaction_id", "=", interactionId)
    .orderBy("message_seq")
    .orderBy("seq")
    .execute();
  const bySeq = new Map<number, StoredPart[]>();
  for (const { message_seq, part } of parts) {
    const list = bySeq.get(message_seq) ?? [];
    // Only `conversation-writes.ts` writes them, and it writes nothing else.
    list.push(part as StoredPart);
    bySeq.set(message_seq, list);
  }
  return rows.map(({ seq, id, role, content, created_at }) => {
    return { seq, id, role, content, createdAt: created_at, parts: bySeq.get(seq) ?? [] };
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
