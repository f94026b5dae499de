import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { hashSecret } from "../credentials/key.ts";
import { createSecretBox, type Sealer } from "../credentials/sealer.ts";
import type { Database } from "../store/schema.ts";

/** What a sign-in needs when the browser comes back. */
export interface PendingSignIn {
  readonly nonce: string;
  readonly verifier: string;
  /** The page to go to: a path of the console. */
  readonly next: string;
}

/** Sign-ins that were begun and wait for the browser to come back: once, for ten minutes (S-131). */
export interface PendingSignIns {
  /** @param state and browser as `newSecret` made them; only their hashes are kept */
  begin(issuer: string, state: string, browser: string, pending: PendingSignIn): Promise<void>;
  /**
   * Takes the sign-in away: whoever comes second finds nothing. One of another browser stays there to be ended there.
   */
  take(
    issuer: string,
    state: string,
    browser: string | null,
  ): Promise<
    | { readonly type: "found"; readonly pending: PendingSignIn }
    | { readonly type: "unknown" | "other_browser" }
  >;
}

/** 256 random bits, for a state, a nonce, a verifier or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

const now = sql<Date>`now()`;

export function createPendingSignIns(db: Kysely<Database>, sealer: Sealer): PendingSignIns {
  const box = createSecretBox<PendingSignIn>(sealer, "oidc sign-in");
  const place = (state: string) => hashSecret(state).toString("hex");
  return {
    async begin(issuer, state, browser, pending) {
      await db.deleteFrom("oidc_sign_ins").where("expires_at", "<", now).execute();
      await db
        .insertInto("oidc_sign_ins")
        .values({
          ...{ state: hashSecret(state), browser: hashSecret(browser), issuer },
          secrets: box.seal(pending, place(state)),
          expires_at: sql<Date>`now() + interval '10 minutes'`,
        })
        .execute();
    },
    async take(issuer, state, browser) {
      const row = await db
        .deleteFrom("oidc_sign_ins")
        .where("state", "=", hashSecret(state))
        .where("browser", "=", hashSecret(browser ?? ""))
        .where("issuer", "=", issuer)
        .where("expires_at", ">", now)
        .returning("secrets")
        .executeTakeFirst();
      const pending = box.open(row?.secrets ?? null, place(state));
      if (pending !== null) return { type: "found", pending };
      const there = await db
        .selectFrom("oidc_sign_ins")
        .select("state")
        .where("state", "=", hashSecret(state))
        .where("expires_at", ">", now)
        .executeTakeFirst();
      return { type: there ? "other_browser" : "unknown" };
    },
  };
}
