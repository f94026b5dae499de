import type { Kysely } from "kysely";
import type { Sealer } from "../credentials/sealer.ts";
import type { Database } from "../store/schema.ts";
import { addressOf, hasOwnCredentials, type McpServerEntry, maySignIn } from "./config.ts";
import { signedIn } from "./connections.ts";
import { type McpOwner, scopeKey } from "./owner.ts";

/** What is known of one server for one person or team (§2.5, §3.5). */
export interface McpState {
  readonly status: "connected" | "unauthenticated" | "blocked";
  readonly auth: "none" | "operator" | "sign_in" | "unknown";
  readonly toolCount: number | null;
  /** The revision of the protocol that it spoke when its tools were read last, such as `2026-07-28`; null: not known. */
  readonly revision: string | null;
  readonly signedInAt: Date | null;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** A sentence where the last exchange failed. */
  readonly failure: string | null;
  /** Names of tools that nobody may call until somebody has looked. */
  readonly held: readonly string[];
}

/**
 * Reads the states of all servers at once. Nothing is asked of any server.
 *
 * `connected`: where people sign in, that this owner is signed in, whether or not the server answers just now; elsewhere,
 * that the last exchange worked. `blocked`: connected, and every one of its tools is held.
 */
export async function readStates(
  db: Kysely<Database>,
  sealer: Sealer,
  entries: readonly McpServerEntry[],
  owner: McpOwner,
): Promise<ReadonlyMap<string, McpState>> {
  const scopes = ["everybody", scopeKey(owner)];
  const wants = await db.selectFrom("mcp_servers").selectAll().execute();
  const rows = await db
    .selectFrom("mcp_connections")
    .select([
      "server_id",
      "owner",
      "address",
      "signed_in_at",
      "succeeded_at",
      "failed_at",
      "failure",
      "tool_count",
      "revision",
    ])
    .select(signedIn(sealer))
    .where("owner", "in", scopes)
    .execute();
  const held = await db
    .selectFrom("mcp_tools")
    .select(["server_id", "owner", "address", "tool"])
    .where("owner", "in", scopes)
    .where("seen_hash", "is not", null)
    .orderBy("tool")
    .execute();
  const known = { wants, rows, held };
  return new Map(entries.map((entry) => [entry.config.id, stateOf(entry, known, scopeKey(owner))]));
}

interface Known {
  readonly wants: readonly { server_id: string; address: string; wants_sign_in: boolean }[];
  readonly rows: readonly {
    server_id: string;
    owner: string;
    address: string;
    signed_in: boolean;
    signed_in_at: Date | null;
    succeeded_at: Date | null;
    failed_at: Date | null;
    failure: string | null;
    tool_count: number | null;
    revision: string | null;
  }[];
  readonly held: readonly { server_id: string; owner: string; address: string; tool: string }[];
}

function stateOf({ config, missing }: McpServerEntry, known: Known, own: string): McpState {
  const address = addressOf(config);
  const here = (row: { server_id: string; address: string }) =>
    row.server_id === config.id && row.address === address;
  const wants = known.wants.find(here)?.wants_sign_in ?? null;
  // One that wants nothing may open more to whoever is signed in.
  const isSignedIn = known.rows.some((one) => here(one) && one.owner === own && one.signed_in);
  const signsIn = maySignIn(config) && (config.oauth !== null || wants === true || isSignedIn);
  const scope = signsIn ? own : "everybody";
  const row = known.rows.find((one) => here(one) && one.owner === scope);
  const held = known.held.filter((one) => here(one) && one.owner === scope).map(({ tool }) => tool);
  const toolCount = row?.tool_count ?? null;
  const worked = row !== undefined && row.succeeded_at !== null && row.failure === null;
  const connected = missing.length === 0 && (signsIn ? row?.signed_in === true : worked);
  const blocked = connected && toolCount !== null && toolCount > 0 && held.length >= toolCount;
  const [variable] = missing;
  return {
    status: blocked ? "blocked" : connected ? "connected" : "unauthenticated",
    auth: authOf(),
    toolCount: connected ? toolCount : null,
    revision: row?.revision ?? null,
    signedInAt: signsIn ? (row?.signed_in_at ?? null) : null,
    succeededAt: row?.succeeded_at ?? null,
    failedAt: row?.failed_at ?? null,
    failure: variable === undefined ? (row?.failure ?? null) : missingVariable(config.name, variable),
    held,
  };

  function authOf(): McpState["auth"] {
    if (signsIn) return "sign_in";
    if (hasOwnCredentials(config)) return "operator";
    return config.via === "stdio" || worked || wants === false ? "none" : "unknown";
  }
}

/** What to say of a server whose entry names a variable that is not set. */
export function missingVariable(name: string, variable: string): string {
  return `The MCP server ${name} needs the variable ${variable}.`;
}
