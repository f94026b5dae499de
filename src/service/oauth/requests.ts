import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { randomText } from "../context.ts";
import { hashSecret } from "../credentials/key.ts";
import type { OauthRequestsTable } from "../store/schema-oauth.ts";
import type { Store, Tx } from "../store/store.ts";

/** What a program asks, as it waits for the person. */
export type PendingRequest = Selectable<OauthRequestsTable>;

/** What an authorization request says, checked. */
export type AuthorizationRequest = Pick<
  PendingRequest,
  "program_id" | "redirect_uri" | "scopes" | "state" | "challenge" | "network"
>;

/** What the browser is given: what names the request in the address of the page, and what it brings back as a cookie. */
export interface Opened {
  readonly id: string;
  readonly browser: string;
}

/** Seconds in which the person has to answer. */
export const requestSeconds = 600;
/** Requests of one network that wait at a time: more than a large office asks, and too few to fill the disk. */
const mostOfNetwork = 1_000;

/** Writes one down. @returns null where too many of this network wait */
export async function openRequest(
  { db }: Pick<Store, "db">,
  asked: AuthorizationRequest,
): Promise<Opened | null> {
  const opened = { id: randomText(43), browser: randomText(43) };
  const { numAffectedRows } = await sql`
    insert into oauth_requests (hash, browser, program_id, redirect_uri, scopes, state, challenge, network, expires_at)
    select ${hashSecret(opened.id)}, ${hashSecret(opened.browser)}, ${asked.program_id}, ${asked.redirect_uri},
           ${[...asked.scopes]}::text[], ${asked.state}, ${asked.challenge}, ${asked.network},
           now() + make_interval(secs => ${requestSeconds})
     where (select count(*) from oauth_requests where network = ${asked.network} and expires_at > now())
           < ${sql.lit(mostOfNetwork)}`.execute(db);
  return numAffectedRows === 1n ? opened : null;
}

/** The cookie of one request, so that two in one browser do not end each other; over TLS no other host can set it. */
export function requestCookie(id: string, publicUrl: string): string {
  const name = `wheelhouse_program_${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
  return publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}

/** The request with this id that this browser was sent here with; null: there is none, or its time is over. */
export async function readRequest(
  { db }: Pick<Store, "db">,
  { id, browser }: Opened,
): Promise<PendingRequest | null> {
  const row = await db
    .selectFrom("oauth_requests")
    .selectAll()
    .where("hash", "=", hashSecret(id))
    .where("browser", "=", hashSecret(browser))
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Takes it away: of any number of answers one finds it. */
export async function takeRequest(tx: Tx, { id, browser }: Opened): Promise<PendingRequest | null> {
  const row = await tx
    .deleteFrom("oauth_requests")
    .where("hash", "=", hashSecret(id))
    .where("browser", "=", hashSecret(browser))
    .where("expires_at", ">", sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}
