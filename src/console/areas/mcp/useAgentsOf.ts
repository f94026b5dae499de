import { useQueries } from "@tanstack/react-query";
import { useApi } from "../../lib/api/api-context.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { agentQueries } from "../directory/index.ts";

export interface AgentOfServer {
  readonly id: string;
  readonly name: string;
  /** "3 tools", "all tools". */
  readonly scope: string;
}

/** So many agents are read to see what they may call; a service that does not filter lists others too. */
const most = 20;

/** The agents whose own configuration names the server, and which of its tools they may call (null: all). */
export function useAgentsOf(serverId: string) {
  const api = useApi();
  const named = useRead(agentQueries.list(api, { tool: serverId }));
  const ids = (named.data?.data.agents ?? [])
    .flatMap((agent) => (agent?.id ? [agent.id] : []))
    .slice(0, most);
  const reads = useQueries({ queries: ids.map((id) => agentQueries.one(api, id)) });
  const list: AgentOfServer[] = [];
  const inUse = new Set<string>();
  let usesAll = false;
  for (const read of reads) {
    const agent = read.data?.data.agent;
    const tools = (agent?.tools ?? []).filter((tool) => tool?.server_id === serverId);
    if (!agent?.id || tools.length === 0) continue;
    const allowed = tools.flatMap((tool) => tool?.allowed_tool_call_ids ?? []);
    const isWhole = tools.some((tool) => !Array.isArray(tool?.allowed_tool_call_ids));
    usesAll ||= isWhole;
    for (const id of allowed) if (id !== null) inUse.add(id);
    const scope = isWhole ? "all tools" : allowed.length === 1 ? "1 tool" : `${allowed.length} tools`;
    list.push({ id: agent.id, name: agent.name || agent.id, scope });
  }
  return {
    list,
    /** Ids of tool calls; null: all of them. */
    toolsInUse: usesAll ? null : inUse,
    isPending: named.isPending || reads.some((read) => read.isPending),
    hasFailed: named.isError,
    isCut: Boolean(named.data?.data.next_cursor),
  };
}
