import { type InsertObject, type Kysely, sql } from "kysely";
import { createSecretBox, type Sealer } from "../credentials/sealer.ts";
import { mayRest, takeAdvisoryLock } from "../store/lock.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { McpFailure } from "./mcp-error.ts";
import { type McpOwner, type McpScope, scopeKey } from "./owner.ts";
import type { SignedInSecrets } from "./secrets.ts";

/** Which connection: whose, to which server, at which address (a hash: see `addressOf`). */
export interface ConnectionKey {
  readonly serverId: string;
  readonly scope: McpScope;
  readonly address: string;
}

/** One connection as the database has it, for whichever process asks. */
export interface Connection {
  /** Tells one sign-in from the next; null: not signed in. */
  readonly signIn: string | null;
  readonly signedInAt: Date | null;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** A sentence, and its kind, where the last exchange failed. */
  readonly failure: { readonly kind: string; readonly message: string } | null;
  readonly toolCount: number | null;
}

/** What a listing of tools said beside them. */
export interface Listed {
  /** How many there are. */
  readonly tools: number;
  /** The revision of the protocol that the server speaks. */
  readonly revision: string | null;
}

/** Connections of people and teams, with their tokens, shared by every process on this database. */
export interface Connections {
  /** Whether the server wants people to sign in; null where nobody has asked it at this address. */
  wantsSignIn(serverId: string, address: string): Promise<boolean | null>;
  setWantsSignIn(serverId: string, address: string, wants: boolean): Promise<void>;
  find(key: ConnectionKey): Promise<Connection | null>;
  /** Opens the sealed tokens; null where there are none for this address, or another secret sealed them. */
  secrets(key: ConnectionKey): Promise<SignedInSecrets | null>;
  /** @returns the tokens that these replace, for this address; null where there were none that can be opened */
  signIn(
    key: ConnectionKey,
    secrets: SignedInSecrets,
    within?: (tx: Tx) => Promise<void> | undefined,
  ): Promise<SignedInSecrets | null>;
  /**
   * Renews the tokens, one process after the other. A sign-in that begins or is taken back while `work` asks the server
   * goes first: what `work` made of the old one is dropped.
   * @param work is given the tokens as they are; null ends the sign-in, the same object leaves it alone
   * @param dropped hears of tokens that `work` made and nobody keeps, and of those that are there instead, if any
   * @returns the tokens as they are then; null where nobody is signed in
   */
  renew(
    key: ConnectionKey,
    work: (secrets: SignedInSecrets) => Promise<SignedInSecrets | null>,
    dropped: (made: SignedInSecrets, kept: SignedInSecrets | null) => void,
  ): Promise<SignedInSecrets | null>;
  /** Forgets the tokens. @returns null where there were none; `secrets` is null for those that another secret sealed */
  signOut(
    serverId: string,
    owner: McpOwner,
    within?: (tx: Tx) => Promise<void>,
  ): Promise<{ readonly secrets: SignedInSecrets | null; readonly address: string } | null>;
  /** Notes scopes that the server says are lacking. @param scope as it wrote them */
  lacks(key: ConnectionKey, scope: string): Promise<void>;
  /** What the next sign-in asks for: what is lacking, with what was given before; empty where nothing is known to be lacking. */
  scopesToAskFor(key: ConnectionKey): Promise<readonly string[]>;
  /** @param listed what a listing of its tools said; null: it was another exchange */
  succeeded(key: ConnectionKey, listed: Listed | null): Promise<void>;
  failed(key: ConnectionKey, failure: McpFailure, message: string): Promise<void>;
  /** Drops tokens and knowledge of servers that have another address now (S-45). */
  forgetOthers(servers: readonly { readonly id: string; readonly address: string }[]): Promise<void>;
}

/** Whether there are tokens that this service can open: another secret's count as none. */
export function signedIn({ keyId }: Sealer) {
  return sql<boolean>`coalesce(split_part(secrets, '.', 1) = ${keyId}, false)`.as("signed_in");
}

/** Of exchanges that work one after another only this many milliseconds apart are written down. */
const noteEvery = "5 seconds";
/** Milliseconds for asking a sign-in for new tokens: more than it has for its answer. */
const restMs = 12_000;

/** @param sealer seals what gives access: the database alone does not */
export function createConnections(db: Kysely<Database>, sealer: Sealer): Connections {
  const box = createSecretBox<SignedInSecrets>(sealer, "mcp connection");
  const rowOf = (on: Kysely<Database> | Tx, { serverId, scope, address }: ConnectionKey) =>
    on
      .selectFrom("mcp_connections")
      .where("server_id", "=", serverId)
      .where("owner", "=", scopeKey(scope))
      .where("address", "=", address);

  const sealed = async (key: ConnectionKey, on: Kysely<Database> | Tx) =>
    (await rowOf(on, key).select("secrets").executeTakeFirst())?.secrets ?? null;

  return {
    async wantsSignIn(serverId, address) {
      const row = await db
        .selectFrom("mcp_servers")
        .select("wants_sign_in")
        .where("server_id", "=", serverId)
        .where("address", "=", address)
        .executeTakeFirst();
      return row?.wants_sign_in ?? null;
    },
    async setWantsSignIn(server_id, address, wants_sign_in) {
      const values = { address, wants_sign_in, updated_at: sql<Date>`now()` };
      await db
        .insertInto("mcp_servers")
        .values({ server_id, ...values })
        .onConflict((conflict) => conflict.column("server_id").doUpdateSet(values))
        .execute();
    },
    async find(key) {
      const row = await rowOf(db, key)
        .select(["signed_in_at", "succeeded_at", "failed_at", "failure", "failure_kind", "tool_count"])
        .select(signedIn(sealer))
        .executeTakeFirst();
      if (!row) return null;
      const { failure, failure_kind: kind } = row;
      return {
        signIn: row.signed_in ? (row.signed_in_at?.toISOString() ?? "") : null,
        signedInAt: row.signed_in_at,
        succeededAt: row.succeeded_at,
        failedAt: row.failed_at,
        failure: failure === null || kind === null ? null : { kind, message: failure },
        toolCount: row.tool_count,
      };
    },
    async secrets(key) {
      return box.open(await sealed(key, db), boxPlace(key));
    },
    signIn: (key, secrets, within) =>
      db.transaction().execute(async (tx) => {
        // Of two at once the second replaces what the first stored.
        await takeAdvisoryLock(tx, `mcp sign-in ${key.serverId} ${scopeKey(key.scope)}`);
        const before = await rowOf(tx, key).select("secrets").forUpdate().executeTakeFirst();
        await upsert(tx, key, {
          secrets: box.seal(secrets, boxPlace(key)),
          signed_in_at: sql<Date>`clock_timestamp()`,
          lacking_scope: null,
          failure: null,
          failure_kind: null,
          tool_count: null,
        });
        await within?.(tx);
        return box.open(before?.secrets ?? null, boxPlace(key));
      }),
    renew: (key, work, dropped) =>
      db.transaction().execute(async (tx) => {
        await takeAdvisoryLock(tx, `mcp token ${key.serverId} ${scopeKey(key.scope)}`);
        await mayRest(tx, restMs);
        const before = await sealed(key, tx);
        const secrets = box.open(before, boxPlace(key));
        if (before === null || secrets === null) return null;
        const next = await work(secrets);
        if (next === secrets) return secrets;
        const { numUpdatedRows } = await tx
          .updateTable("mcp_connections")
          .set({ secrets: next && box.seal(next, boxPlace(key)) })
          .where("server_id", "=", key.serverId)
          .where("owner", "=", scopeKey(key.scope))
          .where("secrets", "=", before)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) return next;
        const kept = box.open(await sealed(key, tx), boxPlace(key));
        if (next !== null) dropped(next, kept);
        return kept;
      }),
    async signOut(serverId, owner, within) {
      const row = await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ secrets: string; address: string }>`
          with taken as (
            select server_id, owner, secrets, address from mcp_connections
            where server_id = ${serverId} and owner = ${scopeKey(owner)} and secrets is not null for update
          )
          update mcp_connections as kept set secrets = null from taken
          where kept.server_id = taken.server_id and kept.owner = taken.owner
          returning taken.secrets, taken.address`.execute(tx);
        if (rows.length > 0) await within?.(tx);
        return rows[0];
      });
      if (row === undefined) return null;
      const { address } = row;
      return { address, secrets: box.open(row.secrets, boxPlace({ serverId, scope: owner, address })) };
    },
    async lacks(key, lacking_scope) {
      await note(key, { lacking_scope });
    },
    async scopesToAskFor(key) {
      const row = await rowOf(db, key).select(["secrets", "lacking_scope"]).executeTakeFirst();
      if (row === undefined || row.lacking_scope === null) return [];
      const given = box.open(row.secrets, boxPlace(key))?.tokens.scope ?? "";
      return `${given} ${row.lacking_scope}`.split(" ").filter((scope) => scope !== "");
    },
    async succeeded(key, listed) {
      const recent = await rowOf(db, key)
        .select("owner")
        .where("failure", "is", null)
        .where("succeeded_at", ">", sql<Date>`now() - ${noteEvery}::interval`)
        .where(({ eb, and, or }) =>
          or([
            eb.lit(listed === null),
            and([
              eb("tool_count", "=", listed?.tools ?? 0),
              eb("revision", "is not distinct from", listed?.revision ?? null),
            ]),
          ]),
        )
        .executeTakeFirst();
      if (recent) return;
      await note(key, {
        succeeded_at: sql<Date>`clock_timestamp()`,
        failure: null,
        failure_kind: null,
        ...(listed === null ? {} : { tool_count: listed.tools, revision: listed.revision }),
      });
    },
    async failed(key, failure, message) {
      await note(key, {
        failed_at: sql<Date>`clock_timestamp()`,
        failure: message,
        failure_kind: failure,
      });
    },
    async forgetOthers(servers) {
      for (const { id, address } of servers) {
        for (const table of ["mcp_servers", "mcp_connections", "mcp_tools", "mcp_sign_ins"] as const) {
          await db.deleteFrom(table).where("server_id", "=", id).where("address", "!=", address).execute();
        }
      }
    },
  };

  async function note(key: ConnectionKey, change: Change): Promise<void> {
    await db.transaction().execute((tx) => upsert(tx, key, change));
  }

  /** A row of another address is replaced whole: nothing of it counts any more. */
  async function upsert(tx: Tx, { serverId, scope, address }: ConnectionKey, change: Change): Promise<void> {
    const owner = scopeKey(scope);
    const row = {
      ...nothing,
      server_id: serverId,
      owner,
      user_id: scope.type === "user" ? scope.id : null,
      team_id: scope.type === "team" ? scope.id : null,
      address,
      ...change,
    };
    await tx
      .deleteFrom("mcp_connections")
      .where("server_id", "=", serverId)
      .where("owner", "=", owner)
      .where("address", "!=", address)
      .execute();
    await tx
      .insertInto("mcp_connections")
      .values(row)
      .onConflict((conflict) => conflict.columns(["server_id", "owner"]).doUpdateSet(change))
      .execute();
  }
}

type Change = Partial<InsertObject<Database, "mcp_connections">>;

/** A connection of which nothing is known. */
const nothing = {
  secrets: null,
  signed_in_at: null,
  succeeded_at: null,
  failed_at: null,
  failure: null,
  failure_kind: null,
  tool_count: null,
  revision: null,
  lacking_scope: null,
};

function boxPlace({ serverId, scope, address }: ConnectionKey): string {
  return `${serverId} ${scopeKey(scope)} ${address}`;
}
