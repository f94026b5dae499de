import { listMcpServers, listMcpTools } from "../../../contract/mcp.ts";
import { type Api, teamScope } from "../api.ts";
import { slow } from "../poll.ts";
import { readOptions } from "../read.ts";

/** Reads about MCP servers. */
export const mcpQueries = {
  /** The catalogue with each server's connection state (§4.9); `teamId` scopes it to a team. */
  servers: (api: Api, teamId: string | null = null) =>
    readOptions(
      api,
      listMcpServers,
      { query: teamId === null ? teamScope(api) : { team_id: teamId } },
      { policy: slow },
    ),

  /** The tools of one server (public, `can("mcp_tools")`). */
  tools: (api: Api, serverId: string) =>
    readOptions(api, listMcpTools, { params: { server_id: serverId }, query: teamScope(api) }),
};
