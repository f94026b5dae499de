import { mutationOptions } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Input } from "../../../contract/define.ts";
import { callMcpTool, listMcpServers, listMcpTools } from "../../../contract/mcp.ts";
import {
  approveMcpTools,
  disconnectMcp,
  type McpApproval,
  type McpOwner,
  startMcpSignIn,
} from "../../../contract/mcp-connection.ts";
import { call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { slow } from "../../api/poll.ts";
import { keyOf, readOptions } from "../../api/read.ts";
import { readAgain } from "../../api/read-again.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { type KnownTeam, useSignedIn } from "../session/index.ts";
import { joinServers } from "./servers.ts";

/** `team_id` of one connection: the team's where one is given, else the caller's own. */
const scopeOf = (api: Api, teamId: string | null) => (teamId === null ? teamScope(api) : { team_id: teamId });

/** Reads about MCP servers. */
export const mcpQueries = {
  /** The catalogue with each server's connection state (§4.9); `teamId` scopes it to a team. */
  servers: (api: Api, teamId: string | null = null, inBackground = false) =>
    readOptions(api, listMcpServers, { query: scopeOf(api, teamId) }, { policy: slow, inBackground }),

  /** The key of all catalogues, to read them anew. */
  allServers: (api: Api) => keyOf(api, listMcpServers),

  /** The tools of one server (public, `can("mcp_tools")`), by the person's connection or the team's. */
  tools: (api: Api, serverId: string, teamId: string | null = null) =>
    readOptions(
      api,
      listMcpTools,
      { params: { server_id: serverId }, query: scopeOf(api, teamId) },
      // Each read asks the server itself, and starts its command: not twice because the page draws what came of it.
      { staleTime: 10_000 },
    ),
};

/** One try of a tool. */
export interface ToolTrial {
  readonly serverId: string;
  readonly teamId: string | null;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the server asked before in this call, and was answered. */
  readonly answered: readonly AnsweredRound[];
}

/** One time that it asked. */
export type AnsweredRound = NonNullable<Input<typeof callMcpTool>["body"]["answered"]>[number];

/** Begins a sign-in, at the service of this process alone. @returns the address that the browser has to go to */
export async function beginSignIn(api: Api, owner: McpOwner): Promise<string> {
  const { data } = await call(api, startMcpSignIn, { body: owner }, { withCookies: true });
  return data.authorization_url ?? "";
}

/** All acts on MCP servers. Those of `mcp-connection.ts` are for the service of this process alone. */
export const mcpMutations = {
  /** Forgets the credentials of the person or the team. */
  disconnect: (api: Api) =>
    mutationOptions({
      mutationFn: (owner: McpOwner) => call(api, disconnectMcp, { body: owner }),
    }),

  /** Accepts definitions of tools that somebody has looked at. */
  approve: (api: Api) =>
    mutationOptions({
      mutationFn: (approval: McpApproval) => call(api, approveMcpTools, { body: approval }),
      onSettled: (_result, _error, _approval, _made, { client }) =>
        readAgain(api, client, [listMcpServers, listMcpTools]),
    }),

  /** Calls one tool, for real (own, `can("mcp_tool_calls")`). */
  callTool: (api: Api) =>
    mutationOptions({
      mutationFn: ({ serverId, teamId, tool, args, answered }: ToolTrial) =>
        call(
          api,
          callMcpTool,
          {
            params: { server_id: serverId, tool },
            query: scopeOf(api, teamId),
            body: {
              arguments: { ...args },
              ...(answered.length > 0 && { answered: [...answered] }),
            },
          },
          { timeoutMs: 120_000 },
        ),
    }),
};

/**
 * The team whose catalogue stands beside the person's own.
 * @param teamId the chosen one
 * @returns null for a person without a team
 */
export function catalogueTeam(
  api: Api,
  teams: readonly KnownTeam[] | null,
  teamId: string | undefined,
): KnownTeam | null {
  const { who } = api;
  const id = who.kind === "team" ? who.teamId : (teamId ?? who.teamId ?? teams?.[0]?.id ?? null);
  return id === null ? null : (teams?.find((team) => team.id === id) ?? { id, name: id });
}

/**
 * The catalogue as the person has it and, beside it, as the chosen team has it.
 * @param inBackground no page shows it: its first read waits for its turn (C-36)
 */
export function useServers(teamId?: string, inBackground = false) {
  const api = useApi();
  const { teams } = useSignedIn();
  const isTeamKey = api.who.kind === "team";
  const chosen = useMemo(() => catalogueTeam(api, teams, teamId), [api, teams, teamId]);
  const mine = useRead({ ...mcpQueries.servers(api, null, inBackground), enabled: !isTeamKey });
  const team = useRead({
    ...mcpQueries.servers(api, chosen?.id ?? null, inBackground),
    enabled: chosen !== null,
  });
  const query = isTeamKey ? team : mine;
  const rows = useMemo(
    () => joinServers(isTeamKey ? null : mine.data?.data.servers, team.data?.data.servers),
    [isTeamKey, mine.data, team.data],
  );
  return {
    rows,
    isTeamKey,
    team: chosen,
    /** The team's list could not be read, while the person's could. */
    teamError: !isTeamKey && team.isError && team.data === undefined ? team.error : null,
    query: {
      ...query,
      refetch: async () => {
        await Promise.all([...(isTeamKey ? [] : [mine.refetch()]), ...(chosen ? [team.refetch()] : [])]);
      },
    },
    damage: [...(query.data?.damage ?? []), ...(isTeamKey ? [] : (team.data?.damage ?? []))],
  };
}
