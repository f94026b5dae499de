import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AgentSummary } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { type AgentFilters, agentQueries } from "../../api/queries/agents.ts";
import { useApi } from "../../components/api-context.tsx";
import { useRead } from "../../components/useRead.ts";
import type { AgentsSearch } from "./search.ts";

export type AgentIn = Received<AgentSummary> & { readonly id: string };
export type AgentOrder = NonNullable<AgentFilters["sort_order"]>;

/** The agents of the page, as far as they were read. */
export function useAgentList(search: AgentsSearch) {
  const api = useApi();
  const me = api.who.userId;
  const common: AgentFilters = useMemo(
    () => ({ sort_order: search.sort ?? "name_asc", ...(search.q !== undefined && { search: search.q }) }),
    [search.sort, search.q],
  );
  const baseOptions = agentQueries.list(api, common);
  const base = useRead({ ...baseOptions, placeholderData: keepPreviousData });
  // A list that was read whole is filtered here; only a longer one is asked for again, narrowed.
  const isWhole = base.data !== undefined && !base.data.data.next_cursor;
  const isAsked = search.of !== undefined && base.data !== undefined && !isWhole;
  const narrow: AgentFilters = {
    ...common,
    ...(search.of === "mine" ? me !== null && { creator: me } : { team_id: search.of ?? "" }),
  };
  const narrowOptions = agentQueries.list(api, narrow);
  const narrowed = useRead({ ...narrowOptions, enabled: isAsked, placeholderData: keepPreviousData });
  const query = isAsked ? narrowed : base;
  const filters = isAsked ? narrow : common;
  const cursor = query.data?.data.next_cursor ?? "";
  const more = useInfiniteQuery({ ...agentQueries.more(api, filters, cursor), enabled: false });

  const read = useMemo(() => {
    const pages = [
      query.data?.data,
      ...(cursor === "" ? [] : (more.data?.pages ?? []).map((page) => page.data)),
    ];
    return withIds(pages.flatMap((page) => page?.agents ?? []));
  }, [query.data, more.data, cursor]);
  const agents = useMemo(() => read.filter((agent) => isOf(agent, search.of)), [read, search.of]);
  return {
    agents,
    /** All that were read, of every tab; null where there are more than that. */
    all: isWhole ? withIds(base.data?.data.agents ?? []) : null,
    query,
    damage: query.data?.damage ?? [],
    /** Reads the next page; null where there is none. */
    more:
      cursor === "" || (more.data && !more.hasNextPage)
        ? null
        : () => void (more.data ? more.fetchNextPage() : more.refetch()),
    isReadingMore: more.isFetching,
  };
}

/** Whether an agent belongs to a tab: `mine`, or a team's id. */
export const isOf = (agent: AgentIn, of: string | undefined): boolean =>
  of === undefined || (of === "mine" ? agent.team_id == null : agent.team_id === of);

/** Those with an id, each once. */
function withIds(agents: readonly (Received<AgentSummary> | null | undefined)[]): readonly AgentIn[] {
  const seen = new Set<string>();
  return agents.flatMap((agent) => {
    if (!agent?.id || seen.has(agent.id)) return [];
    seen.add(agent.id);
    return [agent as AgentIn];
  });
}
