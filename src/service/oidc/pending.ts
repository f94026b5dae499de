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
  /**
   * Writes one down. From one network no more wait than a large office begins, so that nobody fills the disk with them (S-139).
   * @param state and browser as `newSecret` made them; only their hashes are kept
   * @returns false where too many wait: it is not there
   */
  begin(
    issuer: string,
    {
      state,
      browser,
      network,
    }: { readonly state: string; readonly browser: string; readonly network: string },
    pending: PendingSignIn,
  ): Promise<boolean>;
  /**
   * Takes the sign-in away: whoever comes second finds nothing. One of another browser stays there to be ended there.
   */
  take(
    issuer: string,
    state: string,
    browser: string | null,
  ): Promise<
    | { readonly type: "found"; readonly pending: PendingSignIn; readonly begunAt: Date }
    | { readonly type: "unknown" | "other_browser" }
  >;
}

const now = sql<Date>`now()`;
/** For how long a sign-in may be finished. */
const lifetime = sql`interval '10 minutes'`;

/** Sign-ins of one network that wait at a time. */
const mostOfNetwork = 1_000;

/** Of state and browser the database has hashes; `sealer` seals the rest. */
export function createPendingSignIns(db: Kysely<Database>, sealer: Sealer): PendingSignIns {
  const box = createSecretBox<PendingSignIn>(sealer, "oidc sign-in");
  const place = (state: string) => hashSecret(state).toString("hex");
  return {
    async begin(issuer, { state, browser, network }, pending) {
      await db.deleteFrom("oidc_sign_ins").where("expires_at", "<", now).execute();
      const secrets = box.seal(pending, place(state));
      const { numAffectedRows } = await sql`
        insert into oidc_sign_ins (state, browser, issuer, network, secrets, expires_at)
        select ${hashSecret(state)}, ${hashSecret(browser)}, ${issuer}, ${network}, ${secrets}, now() + ${lifetime}
         where (select count(*) from oidc_sign_ins where network = ${network}) < ${sql.lit(mostOfNetwork)}`.execute(
        db,
      );
      return numAffectedRows === 1n;
    },
    async take(issuer, state, browser) {
      const row = await db
        .deleteFrom("oidc_sign_ins")
        .where("state", "=", hashSecret(state))
        .where("browser", "=", hashSecret(browser ?? ""))
        .where("issuer", "=", issuer)
        .where("expires_at", ">", now)
        .returning(["secrets", sql<Date>`expires_at - ${lifetime}`.as("begun_at")])
        .executeTakeFirst();
      const pending = box.open(row?.secrets ?? null, place(state));
      if (row && pending !== null) return { type: "found", pending, begunAt: row.begun_at };
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
