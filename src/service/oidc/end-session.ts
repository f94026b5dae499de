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
  await forgetEnded(tx, userId);
  return ended?.name ?? null;
}

/** The same of all sessions of a person that have ended, by whomever. */
export async function forgetEnded(tx: Tx, userId: string): Promise<void> {
  await sql`
    delete from oidc_sessions where id in (
    select s.id from oidc_sessions s join oidc_identities i on i.issuer = s.issuer and i.subject = s.subject
     where i.user_id = ${userId}
       and not exists (select from credentials c
                        where c.id = s.credential_id and c.revoked_at is null and c.expires_at > now())
       -- Nor is its link about to become one.
       and not exists (select from sign_in_links l
                        where l.hash = s.link and l.used_at is null and l.expires_at > now())
       and not exists (select from credentials
                        where user_id = ${userId} and kind = 'personal' and revoked_at is null)
       and not exists (select from oauth_connections
                        where user_id = ${userId} and ended_at is null and expires_at > now())
       -- One that groups are just asked for with may wait for what this transaction holds.
       for update of s skip locked)`.execute(tx);
}
