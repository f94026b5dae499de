import { type Kysely, sql } from "kysely";
import { createSecretBox, type Sealer } from "../credentials/sealer.ts";
import { mayRest, takeAdvisoryLock } from "../store/lock.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { type ConnectionKey, connectionRow, saveConnection } from "./connection-rows.ts";
import { type McpOwner, scopeKey } from "./owner.ts";
import type { SignedInSecrets } from "./secrets.ts";

/** The tokens of connections, sealed. */
export interface ConnectionTokens {
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
  /** What the next sign-in asks for: what is lacking, with what was given before; empty where nothing is known to be lacking. */
  scopesToAskFor(key: ConnectionKey): Promise<readonly string[]>;
}

/** Milliseconds for asking a sign-in for new tokens: more than it has for its answer. */
const restMs = 12_000;

/** @param sealer seals what gives access: the database alone does not */
export function createConnectionTokens(db: Kysely<Database>, sealer: Sealer): ConnectionTokens {
  const box = createSecretBox<SignedInSecrets>(sealer, "mcp connection");
  const sealed = async (key: ConnectionKey, on: Kysely<Database> | Tx) =>
    (await connectionRow(on, key).select("secrets").executeTakeFirst())?.secrets ?? null;

  return {
    async secrets(key) {
      return box.open(await sealed(key, db), boxPlace(key));
    },
    signIn: (key, secrets, within) =>
      db.transaction().execute(async (tx) => {
        // Of two at once the second replaces what the first stored.
        await takeAdvisoryLock(tx, `mcp sign-in ${key.serverId} ${scopeKey(key.scope)}`);
        const before = await connectionRow(tx, key).select("secrets").forUpdate().executeTakeFirst();
        await saveConnection(tx, key, {
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
    async scopesToAskFor(key) {
      const row = await connectionRow(db, key).select(["secrets", "lacking_scope"]).executeTakeFirst();
      if (row === undefined || row.lacking_scope === null) return [];
      const given = box.open(row.secrets, boxPlace(key))?.tokens.scope ?? "";
      return `${given} ${row.lacking_scope}`.split(" ").filter((scope) => scope !== "");
    },
  };
}

function boxPlace({ serverId, scope, address }: ConnectionKey): string {
  return `${serverId} ${scopeKey(scope)} ${address}`;
}
