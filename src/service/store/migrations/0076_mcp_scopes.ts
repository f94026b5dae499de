import type { Migration } from "./index.ts";

/** Which scopes an MCP server said were lacking when it refused a call: the next sign-in asks for them as well. */
export const mcpScopes: Migration = {
  name: "0076_mcp_scopes",
  sql: `
alter table mcp_connections add column lacking_scope text;
`,
};
