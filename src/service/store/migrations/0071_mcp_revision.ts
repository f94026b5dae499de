import type { Migration } from "./index.ts";

/** Which revision of the protocol an MCP server spoke when its tools were read last. */
export const mcpRevision: Migration = {
  name: "0071_mcp_revision",
  sql: `
alter table mcp_connections add column revision text;
`,
};
