import type { Kysely } from "kysely";
import type { Database } from "../../service/store/schema.ts";

/** The messages of a conversation in their order. */
export function readMessagesOf(db: Kysely<Database>, id: string) {
  return db
    .selectFrom("messages")
    .select(["seq", "role", "content"])
    .where("interaction_id", "=", id)
    .orderBy("seq")
    .execute();
}
