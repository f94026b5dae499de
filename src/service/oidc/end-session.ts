import { sql } from "kysely";
import type { Tx } from "../store/store.ts";

/**
 * Ends the session of this credential. What the provider gave to it is forgotten, unless its person has API keys or programs:
 * their groups are asked for with it until they sign in again.
 * @returns its name; null where it had ended before
 */
export async function endOwnSession(tx: Tx, credentialId: string, userId: string): Promise<string | null> {
  const ended = await tx
    .updateTable("credentials")
    .set({ revoked_at: sql<Date>`now()` })
    .where("id", "=", credentialId)
    .where("kind", "=", "token")
    .where("revoked_at", "is", null)
    .returning("name")
    .executeTakeFirst();
  await sql`
    delete from oidc_sessions where credential_id = ${credentialId} and not exists (
      select from credentials where user_id = ${userId} and kind = 'personal' and revoked_at is null)
       and not exists (
      select from oauth_connections where user_id = ${userId} and ended_at is null and expires_at > now())`.execute(
    tx,
  );
  return ended?.name ?? null;
}
