import { type Kysely, sql } from "kysely";
import type { Sealer } from "../credentials/sealer.ts";
import type { Database } from "../store/schema.ts";
import {
  type ConnectionChange,
  type ConnectionKey,
  connectionRow,
  saveConnection,
} from "./connection-rows.ts";
import { type ConnectionTokens, createConnectionTokens } from "./connection-tokens.ts";
import type { McpFailure } from "./mcp-error.ts";

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
export interface Connections extends ConnectionTokens {
  /** Whether the server wants people to sign in; null where nobody has asked it at this address. */
  wantsSignIn(serverId: string, address: string): Promise<boolean | null>;
  setWantsSignIn(serverId: string, address: string, wants: boolean): Promise<void>;
  find(key: ConnectionKey): Promise<Connection | null>;
  /** Notes scopes that the server says are lacking. @param scope as it wrote them */
  lacks(key: ConnectionKey, scope: string): Promise<void>;
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
/** @param sealer seals what gives access: the database alone does not */
export function createConnections(db: Kysely<Database>, sealer: Sealer): Connections {
  return {
    ...createConnectionTokens(db, sealer),
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
      const row = await connectionRow(db, key)
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
    async lacks(key, lacking_scope) {
      await note(key, { lacking_scope });
    },
    async succeeded(key, listed) {
      const recent = await connectionRow(db, key)
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

  async function note(key: ConnectionKey, change: ConnectionChange): Promise<void> {
    await db.transaction().execute((tx) => saveConnection(tx, key, change));
  }
}
