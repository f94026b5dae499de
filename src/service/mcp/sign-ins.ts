import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { newSecret } from "../context.ts";
import { createSecretBox, type Sealer } from "../credentials/sealer.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { McpOwner, McpScope } from "./owner.ts";
import type { SignInSecrets } from "./secrets.ts";

/** Who begins a sign-in. */
export interface Beginner {
  /** Null: a team's key. */
  readonly person: string | null;
  /** The id of the credential that they begin it with, which must hold when the browser comes back; absent: none is asked for. */
  readonly credential?: string;
}

/** Whose sign-in to which server it is. */
export interface SignInFor {
  readonly serverId: string;
  readonly owner: McpOwner;
  readonly address: string;
  /** The person who began it; null: a team's key did. */
  readonly startedBy: string | null;
}

/**
 * What came of looking for a sign-in by its state. `unknown` also means used before or too old: a state works once, for
 * ten minutes. `other_browser`: it was begun elsewhere, and stays there to be ended there.
 */
export type FoundSignIn =
  | { readonly type: "unknown" | "other_browser" }
  | ({ readonly type: "found"; readonly secrets: SignInSecrets } & SignInFor);

/** Whose client, and of which server; clients are nobody's where a server asks nobody to sign in. */
type ClientOf = Pick<SignInFor, "serverId" | "address"> & { readonly scope: McpScope };

/** With what a sign-in is begun: where there is no `client`, it registers its own. */
type BegunWith =
  | Pick<SignInSecrets, "client" | "registeredAt" | "replaced">
  | { readonly client?: undefined; readonly replaced?: number };

/** Sign-ins that were begun and wait for the browser to come back (S-49). */
export interface SignIns {
  /** @param state and browser as `newSecret` made them; only their hashes are kept */
  begin(
    state: string,
    browser: string,
    what: SignInFor,
    secrets: SignInSecrets,
    within?: (tx: Tx) => Promise<void>,
  ): Promise<void>;
  /**
   * The client with which one more is begun where several wait already, or waited a moment ago, and when it registered.
   * Where there are few it registers its own, so that its tokens can be given back without ending those of another.
   */
  clientFor(what: SignInFor, at: Date): Promise<BegunWith>;
  /** Uses a client no more, as its server says that it does not know it. */
  forgetClient(of: ClientOf, clientId: string): Promise<void>;
  /** Takes the sign-in away: whoever comes second finds nothing. */
  take(state: string, browser: string | null): Promise<FoundSignIn>;
}

/** So many of one person wait for their browser, for themselves or for one team: whoever begins more forgets the first. */
const mostWaiting = 20;

/** For so long a client is used again, in milliseconds: its server may have forgotten it, and nobody but who tries hears of that. */
const usedAgainMs = 600_000;

/** So often another client takes the place of one that its server forgot, in that time: no server makes us register without end. */
const mostReplaced = 3;

/** So many of one person to one server register a client of their own: the server keeps each, and nobody tells it to forget it. */
const mostRegistered = 3;

/** @param sealer seals what the sign-in needs to go on */
export function createSignIns(db: Kysely<Database>, sealer: Sealer): SignIns {
  const box = createSecretBox<SignInSecrets>(sealer, "mcp sign-in");
  return {
    async begin(state, browser, { serverId, owner, address, startedBy }, secrets, within) {
      await db.deleteFrom("mcp_sign_ins").where("expires_at", "<", sql<Date>`now()`).execute();
      const user_id = owner.type === "user" ? owner.id : null;
      const team_id = owner.type === "team" ? owner.id : null;
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto("mcp_sign_ins")
          .values({
            state: hash(state),
            browser: hash(browser),
            server_id: serverId,
            user_id,
            team_id,
            address,
            secrets: box.seal(secrets, hash(state).toString("hex")),
            started_by: startedBy,
            expires_at: sql<Date>`now() + interval '10 minutes'`,
          })
          .execute();
        await sql`
          delete from mcp_sign_ins where state in (
            select state from mcp_sign_ins
             where (user_id, team_id, started_by) is not distinct from
                   (${user_id}::text, ${team_id}::text, ${startedBy}::text)
             order by expires_at desc offset ${sql.lit(mostWaiting)})`.execute(tx);
        await within?.(tx);
      });
    },
    async clientFor({ serverId, owner, address, startedBy }, at) {
      const waiting = await waitingFor({ serverId, scope: owner, address })
        .where("started_by", "is not distinct from", startedBy)
        .orderBy("expires_at", "desc")
        .limit(mostRegistered)
        .execute();
      if (waiting.length < mostRegistered) return {};
      const [last] = waiting;
      const secrets = last ? opened(last) : null;
      const { registeredAt = 0, replaced = 0 } = secrets ?? {};
      if (secrets === null || at.getTime() - registeredAt >= usedAgainMs) return {};
      if (secrets.isForgotten && replaced < mostReplaced) return { replaced: replaced + 1 };
      return { client: secrets.client, registeredAt, replaced };
    },
    async forgetClient(of, clientId) {
      for (const row of await waitingFor(of).execute()) {
        const secrets = opened(row);
        if (secrets?.client.client_id !== clientId) continue;
        await db
          .updateTable("mcp_sign_ins")
          .set({ secrets: box.seal({ ...secrets, isForgotten: true }, row.state.toString("hex")) })
          .where("state", "=", row.state)
          .execute();
      }
    },
    async take(state, browser) {
      return await db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom("mcp_sign_ins")
          .selectAll()
          .where("state", "=", hash(state))
          .where("browser", "=", hash(browser ?? ""))
          .where("expires_at", ">", now)
          .forUpdate()
          .executeTakeFirst();
        if (!row) return { type: (await isElsewhere(tx, state, browser)) ? "other_browser" : "unknown" };
        const secrets = box.open(row.secrets, hash(state).toString("hex"));
        const owner = ownerOfRow(row);
        await takeAway(tx, row.state, secrets);
        if (secrets === null || owner === null) return { type: "unknown" };
        const { server_id: serverId, address, started_by: startedBy } = row;
        return { type: "found", serverId, owner, address, startedBy, secrets };
      });
    },
  };

  /** Those that wait, or waited a moment ago. */
  function waitingFor({ serverId, scope, address }: ClientOf) {
    return db
      .selectFrom("mcp_sign_ins")
      .select(["state", "secrets"])
      .where("server_id", "=", serverId)
      .where("address", "=", address)
      .where("user_id", "is not distinct from", scope.type === "user" ? scope.id : null)
      .where("team_id", "is not distinct from", scope.type === "team" ? scope.id : null)
      .where("expires_at", ">", now);
  }

  function opened({
    state,
    secrets,
  }: {
    readonly state: Buffer;
    readonly secrets: string;
  }): SignInSecrets | null {
    return box.open(secrets, state.toString("hex"));
  }

  /** Leaves its client behind, which `clientFor` finds for as long as it would have waited, by secrets that nobody has. */
  async function takeAway(tx: Tx, taken: Buffer, secrets: SignInSecrets | null): Promise<void> {
    const state = hash(newSecret());
    const left = secrets && { ...secrets, verifier: "", credential: undefined };
    await tx
      .updateTable("mcp_sign_ins")
      .set({ state, browser: hash(newSecret()) })
      .set(left === null ? {} : { secrets: box.seal(left, state.toString("hex")) })
      .where("state", "=", taken)
      .execute();
  }
}

async function isElsewhere(tx: Tx, state: string, browser: string | null): Promise<boolean> {
  const there = await tx
    .selectFrom("mcp_sign_ins")
    .select("state")
    .where("state", "=", hash(state))
    .where("browser", "!=", hash(browser ?? ""))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return there !== undefined;
}

const now = sql<Date>`now()`;

function ownerOfRow(row: {
  readonly user_id: string | null;
  readonly team_id: string | null;
}): McpOwner | null {
  if (row.team_id !== null) return { type: "team", id: row.team_id };
  return row.user_id === null ? null : { type: "user", id: row.user_id };
}

function hash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
