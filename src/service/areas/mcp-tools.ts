import type { endpoints } from "../../contract/endpoints.ts";
import { type ToolWords, toolCallId } from "../mcp/definition.ts";
import type { McpTool } from "../mcp/mcp.ts";
import { McpError } from "../mcp/mcp-error.ts";
import type { Handlers } from "./handler.ts";
import { replyInSteps } from "./long-list.ts";
import { asServiceError, seenServer, showSeenServer } from "./mcp.ts";

type McpTools = Pick<Handlers<typeof endpoints>, "listMcpTools">;

/** Public: asks the server for its tools. One that wants credentials has none to show. */
const listMcpTools: McpTools["listMcpTools"] = async (context, request) => {
  const { caller, params, query, signal, ifNoneMatch } = request;
  const seen = seenServer(context, caller, params.server_id, query.team_id);
  const { server, owner } = seen;
  const tools = await context.mcp.listTools(server.id, owner, signal).catch((error: unknown) => {
    if (error instanceof McpError && error.failure === "unauthenticated") return [];
    throw asServiceError(error);
  });
  const { type, status, service_auth_url, gumloop_auth_url } = await showSeenServer(context, seen);
  const body = {
    server_id: server.id,
    status,
    service_auth_url,
    gumloop_auth_url: gumloop_auth_url ?? service_auth_url,
    tools: tools.map((tool) => showTool(server.id, type, tool)),
  };
  return (await replyInSteps(body, ifNoneMatch)) ?? { type: "body", body };
};

function showTool(serverId: string, server_type: string, tool: McpTool) {
  const { name, description, inputSchema, hash, held } = tool;
  const before = held?.before;
  return {
    tool_call_id: toolCallId(serverId, name),
    name,
    description,
    input_schema: { ...inputSchema },
    ...showRest(tool),
    server_id: serverId,
    server_type,
    definition_hash: hash,
    held: held && {
      since: held.since.toISOString(),
      before: before
        ? { description: before.description, input_schema: { ...before.inputSchema }, ...showRest(before) }
        : null,
    },
  };
}

/** What no model is given; what was not kept is left out. */
function showRest({ title, outputSchema, annotations }: Partial<ToolWords>) {
  return {
    ...(title !== undefined && { title }),
    ...(outputSchema !== undefined && { output_schema: outputSchema && { ...outputSchema } }),
    ...(annotations !== undefined && { annotations: annotations && { ...annotations } }),
  };
}

export const mcpToolHandlers: McpTools = { listMcpTools };
