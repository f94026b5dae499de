import { type Kysely, sql } from "kysely";
import type { Ids } from "../context.ts";
import { randomText } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import type { Database } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import { hashSecret, makeSecret } from "./key.ts";

/** An access token that the console got for a one-time link. */
export interface Session {
  readonly accessToken: string;
  readonly expiresAt: Date;
  readonly userId: string;
}

/**
 * Makes the token of a one-time sign-in link: ten minutes, one use. Only its hash is kept.
 * @param within done in the same transaction
 * @throws ServiceError `not_found` without such a person, `person_inactive` for one whom it would not let in
 */
export async function createSignInToken(
  store: Store,
  userId: string,
  within?: (tx: Tx) => Promise<void>,
): Promise<string> {
  const person = await store.db
    .selectFrom("users")
    .select("deactivated_at")
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!person) throw new ServiceError("not_found", { message: `There is no person with the id ${userId}.` });
  if (person.deactivated_at !== null)
    throw new ServiceError("person_inactive", {
      message: `${userId} is deactivated: reactivate them in the console first.`,
    });
  const token = randomText(32);
  await store.db
    .deleteFrom("sign_in_links")
    .where("expires_at", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
  await store.db.transaction().execute(async (tx) => {
    await tx
      .insertInto("sign_in_links")
      .values({
        hash: hashSecret(token),
        user_id: userId,
        expires_at: sql<Date>`now() + interval '10 minutes'`,
        used_at: null,
      })
      .execute();
    await within?.(tx);
  });
  return token;
}

/** From where a request comes: the socket's own address, and what the program calls itself. */
export interface RequestSource {
  readonly address: string | null;
  readonly userAgent: string | null;
}

const nowhere: RequestSource = { address: null, userAgent: null };

/**
 * Makes the token of an invitation: seven days, one use. Only its hash is kept; the one before, and every other link of this
 * person, stops working.
 */
export async function createInvitation(
  db: Kysely<Database>,
  userId: string,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomText(32);
  await db.deleteFrom("sign_in_links").where("user_id", "=", userId).where("used_at", "is", null).execute();
  const { expires_at } = await db
    .insertInto("sign_in_links")
    .values({
      ...{ hash: hashSecret(token), user_id: userId, used_at: null },
      expires_at: sql<Date>`now() + interval '7 days'`,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

/** A session that was made just now. */
export interface MadeSession {
  readonly userId: string;
  /** The id of its credential. */
  readonly sessionId: string;
  /** How they signed in. */
  readonly name: "sign-in link" | "identity provider";
}

/**
 * Exchanges a one-time token for an access token of eight hours. Of any number at once, one wins.
 * @param within done in the same transaction, with what was made
 * @throws ServiceError `sign_in_link_invalid` (401)
 */
export async function exchangeSignInToken(
  store: Store,
  ids: Ids,
  token: string,
  from: RequestSource = nowhere,
  within?: (tx: Tx, made: MadeSession) => Promise<void>,
): Promise<Session> {
  return await store.db.transaction().execute(async (tx) => {
    const given = await tx
      .selectFrom("sign_in_links")
      .select("user_id")
      .where("hash", "=", hashSecret(token))
      .where("used_at", "is", null)
      .where("expires_at", ">", sql<Date>`now()`)
      .executeTakeFirst();
    if (!given) throw new ServiceError("sign_in_link_invalid");
    // Held, so that whoever is deactivated at the same moment gets no session that outlives it; and before the link, as by
    // whoever deactivates them or renews the link.
    const person = await tx
      .updateTable("users")
      .set({ joined_at: sql<Date>`coalesce(joined_at, now())` })
      .where("id", "=", given.user_id)
      .where("deactivated_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!person) throw new ServiceError("sign_in_link_invalid");
    const link = await tx
      .updateTable("sign_in_links")
      .set({ used_at: sql<Date>`now()` })
      .where("hash", "=", hashSecret(token))
      .where("used_at", "is", null)
      .where("expires_at", ">", sql<Date>`now()`)
      .returning("user_id")
      .executeTakeFirst();
    if (!link) throw new ServiceError("sign_in_link_invalid");
    const { secret, prefix, hash } = makeSecret("token");
    const sessionId = ids.make("tok");
    const provided = await tx
      .selectFrom("oidc_sessions")
      .select("id")
      .where("link", "=", hashSecret(token))
      .executeTakeFirst();
    const made = await tx
      .insertInto("credentials")
      .values({
        id: sessionId,
        kind: "token",
        prefix,
        hash,
        user_id: link.user_id,
        team_id: null,
        name: provided ? "signed in with the identity provider" : "signed in by link",
        expires_at: sql<Date>`now() + interval '8 hours'`,
        made_from_address: from.address,
        made_from_agent: from.userAgent,
      })
      .returning("expires_at")
      .executeTakeFirstOrThrow();
    if (provided) {
      await tx
        .updateTable("oidc_sessions")
        .set({ credential_id: sessionId })
        .where("id", "=", provided.id)
        .execute();
    }
    if (made.expires_at === null) throw new Error("An access token without an end was made");
    const name = provided ? "identity provider" : "sign-in link";
    await within?.(tx, { userId: link.user_id, sessionId, name });
    return { accessToken: secret, expiresAt: made.expires_at, userId: link.user_id };
  });
}
