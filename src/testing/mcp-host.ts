import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentService, startAgentService } from "./agents.ts";
import type { TestServiceOptions } from "./service.ts";

/**
 * A service whose workspace has these MCP servers, and a person of its own, `user_zoe`.
 * @param mcpServers as `mcp.json` has them
 */
export async function startMcpHost(
  mcpServers: object,
  options: TestServiceOptions = {},
): Promise<AgentService> {
  const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-mcp-"));
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  const zoe = "{ id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n  - ${zoe}\n`);
  const app = await startAgentService({ ...options, workspace, empty: false });
  return {
    ...app,
    async stop() {
      await app.stop();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}
