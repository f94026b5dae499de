import type { Kysely } from "kysely";
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
