import type { NullableJson, UpdatedAt } from "./schema.ts";

interface ToolDefinition {
  readonly [key: string]: unknown;
}

export interface McpServersTable {
  server_id: string;
  address: string;
  wants_sign_in: boolean;
  updated_at: UpdatedAt;
}

export interface McpConnectionsTable {
  server_id: string;
  owner: string;
  user_id: string | null;
  team_id: string | null;
  address: string;
  secrets: string | null;
  signed_in_at: Date | null;
  succeeded_at: Date | null;
  failed_at: Date | null;
  failure: string | null;
  failure_kind: string | null;
  tool_count: number | null;
  revision: string | null;
  lacking_scope: string | null;
}

export interface McpSignInsTable {
  state: Buffer;
  browser: Buffer;
  server_id: string;
  user_id: string | null;
  team_id: string | null;
  address: string;
  secrets: string;
  started_by: string | null;
  expires_at: Date;
}

export interface McpToolsTable {
  server_id: string;
  owner: string;
  tool: string;
  address: string;
  hash: string | null;
  definition: NullableJson<ToolDefinition>;
  approved_at: Date | null;
  approved_by: string | null;
  seen_hash: string | null;
  seen_definition: NullableJson<ToolDefinition>;
  seen_at: Date | null;
}

/** The tables of MCP servers. Written by `src/service/mcp` alone. */
export interface McpTables {
  mcp_servers: McpServersTable;
  mcp_connections: McpConnectionsTable;
  mcp_sign_ins: McpSignInsTable;
  mcp_tools: McpToolsTable;
}
