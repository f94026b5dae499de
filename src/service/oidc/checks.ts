import { sql } from "kysely";
import type { Logger } from "pino";
import { createSecretBox, type Sealer } from "../credentials/sealer.ts";
import { createLimiter } from "../limiter.ts";
import { mayRest, takeAdvisoryLock } from "../store/lock.ts";
import { lockKeys } from "../store/lock-keys.ts";
import type { Store, Tx } from "../store/store.ts";
import { applyGrants } from "./apply-grants.ts";
import { grantsOf, noGrants } from "./grants.ts";
import { checkedNow } from "./people.ts";
import type { Given, Provider } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";
import type { SignInSettings } from "./settings.ts";

/** What is kept of a sign-in, sealed. */
export interface KeptTokens {
  readonly refreshToken: string | null;
  readonly idToken: string | null;
}

/** Keeps the tokens of one session where a copy of the database must not give them away. */
export function createTokenBox(sealer: Sealer) {
  return createSecretBox<KeptTokens>(sealer, "oidc session");
}

interface CheckParts {
  readonly store: Store;
  readonly log: Logger;
  readonly settings: SignInSettings;
  readonly provider: Provider;
  readonly box: ReturnType<typeof createTokenBox>;
}

/** Each holds one of the few connections to the database while the provider is asked. */
const places = 4;
/** So many sessions of a person are tried at a time: the tokens of those that were ended there work no more. */
const tried = 3;
/** Milliseconds for asking the provider: as long as all that are tried may take, and a little more. */
const restMs = 31_000;

type Outcome =
  | { readonly type: "told"; readonly given: Given }
  /** None of the tokens works any more. */
  | { readonly type: "over" }
  /** There was none to ask with. */
  | { readonly type: "no_token" }
  | { readonly type: "unreachable" };

/**
 * Asks the provider again for a person's groups, in one process at a time, as a refresh token often works only once (S-136).
 * What it says counts at once. A provider that does not answer is asked again after half a minute; an hour after the last answer,
 * what the groups gave is over, and so it is a quarter of an hour after it where there is no token to ask with.
 * @returns when it is done, whatever came of it. @throws what the database does
 */
export function createChecks({ store, log, settings, provider, box }: CheckParts) {
  const limiter = createLimiter({ places });
  const running = new Map<string, Promise<void>>();
  const { issuer } = settings;

  /**
   * @param isLapsed what the groups gave is over unless the provider answers
   * @param later gets what is to be written of the sessions
   */
  const ask = async (
    tx: Tx,
    { subject, isLapsed }: { readonly subject: string; readonly isLapsed: boolean },
    later: (() => Promise<unknown>)[],
  ): Promise<Outcome> => {
    const sessions = await tx
      .selectFrom("oidc_sessions")
      .select(["id", "secrets", "credential_id"])
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .orderBy("created_at", "desc")
      .limit(20)
      .execute();
    const kept = sessions.map((row) => ({ ...row, tokens: box.open(row.secrets, row.id) }));
    const usable = kept.filter(({ tokens }) => tokens?.refreshToken != null);
    if (usable.length === 0) return { type: "no_token" };
    // Where many are to be asked about, requests would wait for each other's in vain.
    if (!isLapsed && provider.isSilent()) return { type: "unreachable" };
    for (const { id, credential_id, tokens } of usable.slice(0, tried)) {
      if (tokens?.refreshToken == null) continue;
      let refreshToken = tokens.refreshToken;
      const keep = (idToken: string | null) => {
        const secrets = box.seal({ refreshToken, idToken }, id);
        later.push(() => tx.updateTable("oidc_sessions").set({ secrets }).where("id", "=", id).execute());
      };
      try {
        const given = await provider.renew(refreshToken, subject, (token) => {
          refreshToken = token;
        });
        keep(given.idToken ?? tokens.idToken);
        return { type: "told", given };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.warn({ err: error }, "an identity provider did not renew a sign-in");
        const isRenewed = refreshToken !== tokens.refreshToken;
        // Else the next look would come with a token that works no more, which looks like a sign-in that is over.
        if (isRenewed) keep(tokens.idToken);
        if (isRenewed || error.kind !== "refused") return { type: "unreachable" };
        later.push(() => endSession(tx, id, credential_id));
      }
    }
    return usable.length > tried ? { type: "unreachable" } : { type: "over" };
  };

  const check = (userId: string) =>
    store.db.transaction().execute(async (tx) => {
      await takeAdvisoryLock(tx, `oidc check ${userId}`);
      await mayRest(tx, restMs);
      const row = await tx
        .selectFrom("oidc_identities")
        .select("subject")
        .select([
          sql<string>`checked_at::text`.as("checked_at"),
          sql<boolean>`check_by <= now()`.as("is_late"),
          sql<boolean>`checked_at <= now() - interval '1 hour'`.as("is_lapsed"),
        ])
        .where("user_id", "=", userId)
        .where("issuer", "=", issuer)
        .where("is_in", "=", true)
        // Another process may just have asked.
        .where("check_from", "<=", sql<Date>`clock_timestamp()`)
        .executeTakeFirst();
      if (row === undefined) return;
      const later: (() => Promise<unknown>)[] = [];
      const outcome = await ask(tx, { subject: row.subject, isLapsed: row.is_lapsed }, later);
      const ends =
        outcome.type === "over" ||
        (outcome.type === "no_token" && row.is_late) ||
        (outcome.type === "unreachable" && row.is_lapsed);
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.loading)})`.execute(tx);
      // Only now: whoever changes people takes that lock first and these rows then, and each would wait for the other.
      for (const write of later) await write();
      const found = tx
        .updateTable("oidc_identities")
        .where("issuer", "=", issuer)
        .where("subject", "=", row.subject);
      if (outcome.type === "told") {
        const { groups } = outcome.given.claimed;
        // Whoever signed in meanwhile brought newer ones.
        const { numUpdatedRows } = await found
          .set({ groups, ...checkedNow })
          .where(sql<string>`checked_at::text`, "=", row.checked_at)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) await applyGrants(tx, issuer, row.subject, grantsOf(settings, groups));
      } else if (ends) {
        await applyGrants(tx, issuer, row.subject, noGrants);
      } else if (outcome.type === "no_token") {
        await found.set({ check_from: sql<Date>`check_by` }).execute();
      } else {
        await found
          .set({
            check_from: sql<Date>`least(clock_timestamp() + interval '30 seconds', checked_at + interval '1 hour')`,
            check_by: sql<Date>`least(clock_timestamp() + interval '1 minute', checked_at + interval '1 hour')`,
          })
          .execute();
      }
    });

  return (userId: string): Promise<void> => {
    const under = running.get(userId);
    if (under) return under;
    const begun = limiter.run({ share: [userId] }, () => check(userId)).finally(() => running.delete(userId));
    running.set(userId, begun);
    return begun;
  };
}

async function endSession(tx: Tx, id: string, credentialId: string | null): Promise<void> {
  await tx.deleteFrom("oidc_sessions").where("id", "=", id).execute();
  if (credentialId === null) return;
  await tx
    .updateTable("credentials")
    .set({ revoked_at: sql<Date>`now()` })
    .where("id", "=", credentialId)
    .where("revoked_at", "is", null)
    .execute();
}
