import type { endpoints } from "../../contract/endpoints.ts";
import type { McpServer } from "../../contract/mcp.ts";
import { toolCallId } from "../agents/tools/mcp-tools.ts";
import type { Context } from "../context.ts";
import type { McpServerConfig } from "../mcp/config.ts";
import type { McpCall } from "../mcp/mcp.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { inTeam, teamScope } from "../permission/actor.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller, Handlers } from "./handler.ts";

type McpHandlers = Pick<
  Handlers<typeof endpoints>,
  "listMcpServers" | "getMcpServer" | "listMcpTools" | "callMcpTool"
>;

/** Servers of the workspace's `mcp.json` that the caller may see; with a team, those that this team may. */
export function seenServers(
  context: Context,
  caller: Caller,
  teamId: string | null,
): readonly McpServerConfig[] {
  return context.mcp.servers.filter(({ teams }) => {
    if (teams === null) return true;
    return teamId === null ? teams.some((team) => inTeam(caller, team)) : teams.includes(teamId);
  });
}

/**
 * §2.5. `connected` only where an exchange with the server succeeded since the start; looking at the list opens no
 * connection and starts no command.
 */
function showServer(context: Context, server: McpServerConfig): McpServer {
  const status = context.mcp.status(server.id);
  const authUrl = `${context.publicUrl}/mcp?server=${encodeURIComponent(server.id)}`;
  return {
    server_id: server.id,
    name: server.name,
    // A command runs inside the service; an address is somebody else's.
    type: server.via === "stdio" ? "gumcp_server" : "mcp_server",
    status: status.type === "connected" ? "connected" : "unauthenticated",
    icon_url: server.iconUrl,
    description: server.description,
    service_auth_url: authUrl,
    gumloop_auth_url: authUrl,
    mcp_url: server.via === "http" ? withoutSecrets(server.url) : null,
    tool_count: status.type === "connected" ? status.toolCount : null,
    allowed_tool_call_ids: null,
  };
}

/** Keys are sometimes written into addresses. */
function withoutSecrets(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** §4.9 */
const listMcpServers: McpHandlers["listMcpServers"] = async (context, { caller, query }) => {
  const servers = seenServers(context, caller, teamScope(caller, query.team_id));
  return { type: "body", body: { servers: servers.map((server) => showServer(context, server)) } };
};

function seenServer(
  context: Context,
  caller: Caller,
  id: string,
  teamId: string | undefined,
): McpServerConfig {
  const server = seenServers(context, caller, teamScope(caller, teamId)).find((one) => one.id === id);
  if (server === undefined) {
    throw new ServiceError("not_found", { message: "There is no such MCP server.", param: "server_id" });
  }
  return server;
}

/** Public: one server. */
const getMcpServer: McpHandlers["getMcpServer"] = async (context, { caller, params, query }) => {
  const server = seenServer(context, caller, params.server_id, query.team_id);
  return { type: "body", body: { server: showServer(context, server) } };
};

/** Public: asks the server for its tools. One that wants credentials has none to show. */
const listMcpTools: McpHandlers["listMcpTools"] = async (context, { caller, params, query, signal }) => {
  const server = seenServer(context, caller, params.server_id, query.team_id);
  const tools = await context.mcp.listTools(server.id, signal).catch((error: unknown) => {
    if (!(error instanceof McpError)) throw error;
    if (error.failure === "unauthenticated") return [];
    throw new ServiceError("tool_call_failed", { message: error.message });
  });
  const { type, status, service_auth_url, gumloop_auth_url } = showServer(context, server);
  return {
    type: "body",
    body: {
      server_id: server.id,
      status,
      service_auth_url,
      gumloop_auth_url: gumloop_auth_url ?? service_auth_url,
      tools: tools.map(({ name, description, inputSchema }) => ({
        tool_call_id: toolCallId(server.id, name),
        name,
        description,
        input_schema: { ...inputSchema },
        server_id: server.id,
        server_type: type,
      })),
    },
  };
};

/** Own: one call, to try a tool. What the tool itself says, also that it failed, is a successful answer. */
const callMcpTool: McpHandlers["callMcpTool"] = async (context, request) => {
  const { caller, params, query, body, requestId, signal } = request;
  const server = seenServer(context, caller, params.server_id, query.team_id);
  const begun = performance.now();
  const call = { tool: params.tool, args: toPlain(body.arguments ?? {}), key: requestId, signal };
  try {
    const tools = await context.mcp.listTools(server.id, signal);
    if (!tools.some(({ name }) => name === params.tool)) {
      throw new ServiceError("not_found", { message: "The server has no such tool.", param: "tool" });
    }
    const { content, structured, isError } = await context.mcp.callTool(server.id, call);
    const blocks = content.map((block) => ({ ...block }));
    const structured_content = structured === null ? {} : { structured_content: structured };
    const duration_ms = Math.round(performance.now() - begun);
    return { type: "body", body: { content: blocks, ...structured_content, is_error: isError, duration_ms } };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    // Without its cause: that is logged, and the SDK's words may quote addresses with keys in them.
    throw new ServiceError("tool_call_failed", { message: error.message });
  }
};

/** A body came from JSON, so all of it is JSON again. */
function toPlain(value: object): McpCall["args"] {
  return JSON.parse(JSON.stringify(value));
}

export const mcp: McpHandlers = { listMcpServers, getMcpServer, listMcpTools, callMcpTool };
