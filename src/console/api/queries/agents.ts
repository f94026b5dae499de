import { infiniteQueryOptions, mutationOptions } from "@tanstack/react-query";
import {
  type AgentChange,
  createAgent,
  getAgent,
  getAgentVersion,
  listAgents,
  listAgentVersions,
  updateAgent,
} from "../../../contract/agents.ts";
import type { Call } from "../../../contract/define.ts";
import { type Api, teamScope } from "../api.ts";
import { call } from "../client.ts";
import { slow, watchEdited } from "../poll.ts";
import { keyOf, readOptions, type Snapshot } from "../read.ts";

/** Filters and order of the agents list; all of them are the service's. */
export type AgentFilters = Omit<NonNullable<Call<typeof listAgents>["query"]>, "page_size" | "cursor">;

const pageSize = 100;

/** All reads about agents. */
export const agentQueries = {
  /** The first 100 agents that fit. */
  list: (api: Api, filters: AgentFilters = {}) =>
    readOptions(
      api,
      listAgents,
      { query: { ...teamScope(api), ...filters, page_size: pageSize } },
      { policy: slow, staleTime: 5_000 },
    ),

  /** The pages after the first, from its `next_cursor`. */
  more: (api: Api, filters: AgentFilters, cursor: string) =>
    infiniteQueryOptions({
      queryKey: [...keyOf(api, listAgents), "more", filters, cursor],
      queryFn: ({ pageParam, signal }) =>
        call(
          api,
          listAgents,
          { query: { ...teamScope(api), ...filters, page_size: pageSize, cursor: pageParam } },
          { signal },
        ),
      initialPageParam: cursor,
      getNextPageParam: (last) => last.data.next_cursor ?? null,
      staleTime: 60_000,
    }),

  /**
   * One agent with its whole configuration; 404 once it is retired.
   * @param isEdited somebody has a draft of it open here: it is looked at more often
   */
  one: (api: Api, agentId: string, isEdited = false) =>
    readOptions(
      api,
      getAgent,
      { params: { agent_id: agentId } },
      { policy: isEdited ? watchEdited : slow, staleTime: 5_000 },
    ),

  /** Its versions, newest first (public, `can("agent_versions")`). */
  versions: (api: Api, agentId: string) =>
    readOptions(api, listAgentVersions, { params: { agent_id: agentId }, query: { page_size: pageSize } }),

  /** The pages of its versions after the first, from its `next_cursor`. */
  olderVersions: (api: Api, agentId: string, cursor: string) =>
    infiniteQueryOptions({
      queryKey: [...keyOf(api, listAgentVersions), "older", agentId, cursor],
      queryFn: ({ pageParam, signal }) =>
        call(
          api,
          listAgentVersions,
          { params: { agent_id: agentId }, query: { page_size: pageSize, cursor: pageParam } },
          { signal },
        ),
      initialPageParam: cursor,
      getNextPageParam: (last) => last.data.next_cursor ?? null,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  /** The agent as it was at one version; that never changes. */
  version: (api: Api, agentId: string, version: Call<typeof getAgentVersion>["params"]["version"]) =>
    readOptions(
      api,
      getAgentVersion,
      { params: { agent_id: agentId, version } },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
};

/** All acts on agents. */
export const agentMutations = {
  /** Changes, transfers or retires an agent (§4.14). Sends what it is given, so `version` is the caller's to name. */
  update: (api: Api, agentId: string) =>
    mutationOptions({
      mutationKey: [...keyOf(api, updateAgent), agentId],
      mutationFn: (change: AgentChange) =>
        call(api, updateAgent, { params: { agent_id: agentId }, body: change }),
      onSuccess: async (answer, change, _made, { client }) => {
        api.polling.acted();
        const one = agentQueries.one(api, agentId).queryKey;
        // A read that was on its way would put back what was there before.
        await client.cancelQueries({ queryKey: one });
        if (change.is_active === false) {
          // A retired agent answers 404 from now on: it is forgotten, not asked for again (C-22).
          client.removeQueries({ queryKey: one });
        } else {
          const saved: Snapshot<typeof getAgent> = { ...answer, etag: null, moving: false, settled: false };
          client.setQueryData(one, saved);
          void client.invalidateQueries({ queryKey: agentQueries.versions(api, agentId).queryKey });
        }
        await client.invalidateQueries({ queryKey: keyOf(api, listAgents) });
      },
    }),

  /** Makes an agent (public, `can("agent_create")`). */
  create: (api: Api) =>
    mutationOptions({
      mutationKey: keyOf(api, createAgent),
      mutationFn: (agent: Call<typeof createAgent>["body"]) => call(api, createAgent, { body: agent }),
      onSuccess: async (_answer, _agent, _made, { client }) => {
        api.polling.acted();
        await client.invalidateQueries({ queryKey: keyOf(api, listAgents) });
      },
    }),
};
