import type { AgentService } from "./agents.ts";
import { askingAgent } from "./approvals.ts";
import { startMcpHost } from "./mcp-host.ts";
import { type ModernMcpServer, startModernMcpServer } from "./modern-mcp-server.ts";
import { type SessionMcpServer, startSessionMcpServer } from "./session-mcp-server.ts";

/** A service whose workspace has two MCP servers with tools that ask. */
export interface AskingServers {
  readonly app: AgentService;
  /** `pier`, of revision 2026-07-28. */
  readonly modern: ModernMcpServer;
  /** `quay`, of an earlier one. */
  readonly session: SessionMcpServer;
  /** Makes an agent of Kim's that has the tools of both. @returns its id */
  agent(): Promise<string>;
  stop(): Promise<void>;
}

/** @param options.work whether what is started is worked on */
export async function startAskingServers(options: { readonly work?: false } = {}): Promise<AskingServers> {
  const modern = await startModernMcpServer();
  const session = await startSessionMcpServer();
  const mcpServers = { pier: { name: "Pier", url: modern.url }, quay: { name: "Quay", url: session.url } };
  const app = await startMcpHost(mcpServers, options);
  const tools = Object.keys(mcpServers).map((server_id) => ({ type: "mcp_server", server_id }));
  return {
    ...{ app, modern, session },
    agent: () => askingAgent(app, { tools }),
    async stop() {
      await app.stop();
      await modern.close();
      await session.close();
    },
  };
}
