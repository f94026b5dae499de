import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../lib/api.tsx";
import { shownName } from "../../lib/shownName.ts";
import { agentQueries } from "./agent-queries.ts";

/** The names of agents by their id, as far as the service lists them. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const read = useQuery(agentQueries.list(useApi(), { sort_order: "name_asc" }));
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const agent of read.data?.data.agents ?? []) {
      if (agent?.id) names.set(agent.id, shownName(agent.name || agent.id));
    }
    return names;
  }, [read.data]);
}
