import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";

/** An access token is a session of the console where it is no program's, was not ended and has time left. */
export const isOpenSession = sql<boolean>`kind = 'token' and connection_id is null and revoked_at is null and expires_at > now()`;

/**
 * Ends the sessions of a person: their next request is refused.
 * @param but the credential of one that stays; null: none does
 * @returns how many
 */
export async function endSessions(db: Kysely<Database>, userId: string, but: string | null): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("credentials")
    .set({ revoked_at: sql<Date>`now()` })
    .where("user_id", "=", userId)
    .where(isOpenSession)
    .where("id", "<>", but ?? "")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
