import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../lib/api.tsx";
import { useMissingRights } from "../../lib/rights/rights.ts";
import { agentQueries } from "./agent-queries.ts";

/** Whether the service has listed its agents, and this person may talk to none of them. */
export function useHasNoAgent(): boolean {
  const { data } = useQuery(agentQueries.list(useApi(), { sort_order: "name_asc" }));
  const agents = data?.data.agents;
  const missing = useMissingRights((agents ?? []).some((agent) => agent?.team_id != null));
  // More than were read may be among the others.
  if (agents == null || data?.data.next_cursor) return false;
  return agents.every((agent) => missing(agent?.team_id, "operate") !== undefined);
}
