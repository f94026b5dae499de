import type { InsertObject, Kysely } from "kysely";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { type McpScope, scopeKey } from "./owner.ts";

/** Which connection: whose, to which server, at which address (a hash: see `addressOf`). */
export interface ConnectionKey {
  readonly serverId: string;
  readonly scope: McpScope;
  readonly address: string;
}

/** The row of a connection, if there is one. */
export const connectionRow = (on: Kysely<Database> | Tx, { serverId, scope, address }: ConnectionKey) =>
  on
    .selectFrom("mcp_connections")
    .where("server_id", "=", serverId)
    .where("owner", "=", scopeKey(scope))
    .where("address", "=", address);

/** Writes to the row of a connection. One of another address is replaced whole: nothing of it counts any more. */
export async function saveConnection(
  tx: Tx,
  { serverId, scope, address }: ConnectionKey,
  change: ConnectionChange,
): Promise<void> {
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

/** What is written to a row. */
export type ConnectionChange = Partial<InsertObject<Database, "mcp_connections">>;

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
