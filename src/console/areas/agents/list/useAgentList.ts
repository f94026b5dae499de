import { useMemo } from "react";
import { useApi } from "../../../lib/api.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import type { RowGroup } from "../../../ui/Table.tsx";
import { type AgentFilters, type AgentIn, agentPages } from "../../directory/index.ts";
import type { KnownTeam } from "../../session/index.ts";
import type { AgentsSearch } from "../search.ts";

/** The agents of the page, as far as they were read. */
export function useAgentList(search: AgentsSearch) {
  const api = useApi();
  const me = api.who.userId;
  const common: AgentFilters = useMemo(
    () => ({ sort_order: search.sort ?? "name_asc", ...(search.q !== undefined && { search: search.q }) }),
    [search.sort, search.q],
  );
  const base = usePages(agentPages(api, common));
  // A list that was read whole is filtered here; only a longer one is asked for again, narrowed.
  const first = base.query.data;
  const isWhole = first !== undefined && !first.data.next_cursor;
  const isAsked = search.of !== undefined && first !== undefined && !isWhole;
  const narrow: AgentFilters = {
    ...common,
    ...(search.of === "mine" ? me !== null && { creator: me } : { team_id: search.of ?? "" }),
  };
  const narrowed = usePages(agentPages(api, narrow), { enabled: isAsked });
  const { rows, query, damage, more } = isAsked ? narrowed : base;
  const agents = useMemo(() => rows.filter((agent) => isOf(agent, search.of)), [rows, search.of]);
  return {
    agents,
    /** All that were read, of every tab; null where there are more than that. */
    all: isWhole ? base.rows : null,
    query,
    damage,
    more,
  };
}

/** Whether an agent belongs to a tab: `mine`, or a team's id. */
export const isOf = (agent: AgentIn, of: string | undefined): boolean =>
  of === undefined || (of === "mine" ? agent.team_id == null : agent.team_id === of);

/** Agents by whose they are: the person's own first, then each team in the order of the sign-in, then teams unheard of. */
export function groupAgents(
  agents: readonly AgentIn[],
  teams: readonly KnownTeam[],
): readonly RowGroup<AgentIn>[] {
  const groups = new Map<string, AgentIn[]>();
  for (const of of ["mine", ...teams.map((team) => team.id)]) groups.set(of, []);
  for (const agent of agents) {
    const of = agent.team_id ?? "mine";
    const group = groups.get(of) ?? [];
    group.push(agent);
    groups.set(of, group);
  }
  const named = [...groups].filter(([, rows]) => rows.length > 0);
  // One group needs no name.
  if (named.length === 1) return named.map(([key, rows]) => ({ key, rows }));
  return named.map(([key, rows]) => ({
    key,
    name: key === "mine" ? "Mine" : (teams.find((team) => team.id === key)?.name ?? key),
    count: rows.length,
    rows,
  }));
}
