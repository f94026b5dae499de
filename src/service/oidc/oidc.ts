import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { AuditEvent } from "../audit/entry.ts";
import { type Ids, newSecret, randomText, type SharedClock } from "../context.ts";
import { hashSecret } from "../credentials/key.ts";
import type { Sealer } from "../credentials/sealer.ts";
import type { Guesses, Sender } from "../guessing/guesses.ts";
import { lockKeys } from "../store/lock-keys.ts";
import type { Store } from "../store/store.ts";
import { createChecks, createTokenBox } from "./checks.ts";
import { createPendingSignIns } from "./pending.ts";
import { admit } from "./people.ts";
import { createProvider, type Given } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";
import { createRefusalTokens, type Refusal, refusal } from "./refusal.ts";
import type { SignInSettings } from "./settings.ts";

/** Where a browser goes next, and the cookie that it gets or loses. */
export interface Step {
  /** A path of the console, or the provider's address. */
  readonly location: string;
  /** An empty value takes the cookie away. */
  readonly cookie: { readonly name: string; readonly value: string } | null;
}

/** Signing in with the organisation's identity provider. */
export interface Oidc {
  /** What people call the provider. */
  readonly name: string;
  /**
   * Sends a browser there.
   * @param next the page to go to afterwards; anything but a path of this console is the first page
   * @param network that it asks from, as `networkOf` has it
   */
  begin(next: string | null, network: string): Promise<Step>;
  /**
   * Ends what a browser brings back. @param address as it came; `cookies` of the request, by name; `from` who sends it
   * @throws ServiceError `too_many_requests` alone, where too many made up how their sign-in began
   */
  finish(address: URL, cookies: ReadonlyMap<string, string>, from: Sender): Promise<Step>;
  /** What a token says that stands for a refusal; null: it is none. */
  refusalOf(token: string): Refusal | null;
  /** Asks again for a person's groups where that is due. */
  check(userId: string): Promise<void>;
  /** Where the session ends at the provider, too; null where it did not come from there, or has no such place. */
  endSessionUrl(credentialId: string): Promise<string | null>;
}

export interface OidcParts {
  readonly settings: SignInSettings;
  readonly secret: string | null;
  readonly store: Store;
  readonly clock: SharedClock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly guesses: Pick<Guesses, "compare">;
  readonly fetch: typeof globalThis.fetch;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Of the callback. */
  readonly callbackPath: string;
}

/** Seconds in which the browser that came back exchanges its link. */
const linkSeconds = 60;

const madeUp: AuditEvent = {
  action: "session.refuse",
  object: { kind: "session", id: null, name: "identity provider" },
};

/** Sign-in with the one provider of the settings, which is asked for nothing before the first sign-in. */
export function createOidc(parts: OidcParts): Oidc {
  const { settings, store, ids, log, publicUrl } = parts;
  const { issuer, name } = settings;
  const provider = createProvider({ ...parts, redirectUrl: publicUrl + parts.callbackPath });
  const pending = createPendingSignIns(store.db, parts.sealer);
  const refusals = createRefusalTokens(parts.sealer, parts.clock);
  const box = createTokenBox(parts.sealer);
  const check = createChecks({ ...parts, provider, box });

  /** The one place where somebody is not let in. */
  const refuse = (refused: Refusal, next: string, cause?: unknown): string => {
    log.warn({ reason: refused.reason, err: cause }, "a sign-in with the identity provider was refused");
    const search = next === "/" ? "" : `?${new URLSearchParams({ next })}`;
    return `/sign-in${search}#sign-in=${refusals.make(refused)}`;
  };
  const failed = (error: unknown): Refusal => {
    if (!(error instanceof ProviderError)) throw error;
    return refusal(`provider_${error.kind}`, name, { detail: error.message });
  };

  /** Makes the link that the browser exchanges for its session. */
  const letIn = async (given: Given): Promise<{ readonly token: string } | { readonly refused: Refusal }> => {
    const token = randomText(32);
    const link = hashSecret(token);
    const { claimed } = given;
    const admitted = await store.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKeys.loading)})`.execute(tx);
      const result = await admit(tx, ids, settings, claimed);
      if (result.type === "out") return result;
      await sql`
        delete from oidc_sessions s
         where s.issuer = ${issuer} and s.subject = ${claimed.subject} and s.created_at < now() - interval '1 hour'
           and not exists (select from credentials c where c.id = s.credential_id
                              and c.revoked_at is null and c.expires_at > now())`.execute(tx);
      await tx
        .insertInto("sign_in_links")
        .values({
          ...{ hash: link, user_id: result.userId, used_at: null },
          expires_at: sql<Date>`now() + make_interval(secs => ${linkSeconds})`,
        })
        .execute();
      const id = ids.make("oidc");
      const secrets = box.seal({ refreshToken: given.refreshToken, idToken: given.idToken }, id);
      await tx
        .insertInto("oidc_sessions")
        .values({ id, issuer, subject: claimed.subject, link, secrets })
        .execute();
      return result;
    });
    if (admitted.type === "in") return { token };
    return { refused: refusal(admitted.reason, name, { groups: claimed.groups }) };
  };

  return {
    name,
    async begin(wanted, network) {
      const next = pathOf(wanted, publicUrl);
      await parts.clock.look();
      const [state, browser, nonce, verifier] = [newSecret(), newSecret(), newSecret(), newSecret()];
      try {
        const begun = await pending.begin(issuer, { state, browser, network }, { nonce, verifier, next });
        if (!begun) return { location: refuse(refusal("too_many", name), next), cookie: null };
        const location = await provider.authorizationUrl({ state, nonce, verifier });
        return { location, cookie: { name: cookieName(state, publicUrl), value: browser } };
      } catch (error) {
        return { location: refuse(failed(error), next, error), cookie: null };
      }
    },
    async finish(address, cookies, from) {
      const query = address.searchParams;
      const state = query.get("state");
      if (state === null) return { location: refuse(refusal("unknown", name), "/"), cookie: null };
      await parts.clock.look();
      const cookie = { name: cookieName(state, publicUrl), value: "" };
      const browser = cookies.get(cookie.name) ?? null;
      const known = await parts.guesses.compare({ from, account: null, event: madeUp }, async () => {
        const taken = await pending.take(issuer, state, browser);
        return taken.type === "unknown" ? null : taken;
      });
      const found = known ?? ({ type: "unknown" } as const);
      if (found.type !== "found") return { location: refuse(refusal(found.type, name), "/"), cookie: null };
      const { next, ...secrets } = found.pending;
      const error = query.get("error");
      if (error !== null) {
        const reason = error === "access_denied" ? "cancelled" : "provider_error";
        return { location: refuse(refusal(reason, name), next), cookie };
      }
      try {
        const given = await provider.finish(address, { state, ...secrets }, found.begunAt);
        const result = await letIn(given);
        if ("refused" in result) return { location: refuse(result.refused, next), cookie };
        return { location: `${next}#sign-in=${result.token}`, cookie };
      } catch (thrown) {
        return { location: refuse(failed(thrown), next, thrown), cookie };
      }
    },
    refusalOf: refusals.read,
    check,
    async endSessionUrl(credentialId) {
      const row = await store.db
        .selectFrom("oidc_sessions")
        .select(["id", "secrets"])
        .where("credential_id", "=", credentialId)
        .where("issuer", "=", issuer)
        .executeTakeFirst();
      const idToken = (row && box.open(row.secrets, row.id))?.idToken;
      if (idToken == null) return null;
      try {
        return await provider.endSessionUrl(idToken, `${publicUrl}/sign-in`);
      } catch (error) {
        if (error instanceof ProviderError) return null;
        throw error;
      }
    },
  };
}

/** Each sign-in has a cookie of its own, so that two in one browser do not end each other; over TLS no other host can set it. */
function cookieName(state: string, publicUrl: string): string {
  const name = `wheelhouse_oidc_${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
  return publicUrl.startsWith("https:") ? `__Host-${name}` : name;
}

/** A path of this console with its query, whatever was asked for. */
function pathOf(wanted: string | null, publicUrl: string): string {
  if (wanted === null || wanted.length > 1_500 || !/^\/(?![/\\])/.test(wanted)) return "/";
  if (!URL.canParse(wanted, publicUrl)) return "/";
  const { origin, pathname, search } = new URL(wanted, publicUrl);
  if (origin !== new URL(publicUrl).origin || pathname.startsWith("//")) return "/";
  return pathname + search;
}
