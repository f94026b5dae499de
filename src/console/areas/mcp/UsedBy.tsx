import { useApi } from "../../lib/api/api-context.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { agentQueries } from "../directory/index.ts";

/** The names of the agents that use a server, as the service filters them; nothing where that cannot be told. */
export function UsedBy({ serverId }: { serverId: string }) {
  const agents = useRead(agentQueries.list(useApi(), { tool: serverId })).data?.data.agents;
  if (!agents) return null;
  const names = agents.flatMap((agent) => (agent?.id ? [agent.name || agent.id] : []));
  if (names.length === 0) return <span className="text-faint">no agent</span>;
  return (
    <span title={names.join(", ")}>{names.length > 3 ? `${names.length} agents` : names.join(", ")}</span>
  );
}
