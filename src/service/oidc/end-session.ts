import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";

/**
 * Ends the session of this credential. What the provider gave to it is forgotten, unless its person has API keys: their groups
 * are asked for with it until they sign in again.
 */
export async function endOwnSession(
  db: Kysely<Database>,
  credentialId: string,
  userId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable("credentials")
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
      .where("id", "=", credentialId)
      .where("kind", "=", "token")
      .execute();
    await sql`
      delete from oidc_sessions where credential_id = ${credentialId} and not exists (
        select from credentials where user_id = ${userId} and kind = 'personal' and revoked_at is null)`.execute(
      tx,
    );
  });
}
