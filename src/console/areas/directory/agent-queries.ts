import { mutationOptions } from "@tanstack/react-query";
import {
  type AgentChange,
  type AgentSummary,
  type AgentVersionSummary,
  createAgent,
  getAgent,
  getAgentVersion,
  listAgents,
  listAgentVersions,
  updateAgent,
} from "../../../contract/agents.ts";
import type { Call, Received } from "../../../contract/define.ts";
import { listModels } from "../../../contract/models.ts";
import { call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { type PageForm, paged, rowsIn } from "../../api/paged.ts";
import { slow, watchEdited } from "../../api/poll.ts";
import { keyOf, readOptions, type Snapshot } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";

/** Filters and order of the agents list; all of them are the service's. */
export type AgentFilters = Omit<NonNullable<Call<typeof listAgents>["query"]>, "page_size" | "cursor">;

const pageSize = 100;

/** An agent of a list as it may really come; one without an id cannot be opened, and is left out. */
export type AgentIn = Received<AgentSummary> & { readonly id: string };

const agentPage = rowsIn<typeof listAgents, AgentIn>("agents", "id");

/** The agents that fit, page by page. */
export const agentPages = (api: Api, filters: AgentFilters = {}) =>
  paged(
    api,
    listAgents,
    (page) => ({ query: { ...teamScope(api), ...filters, page_size: pageSize, ...page } }),
    agentPage,
    { policy: slow, staleTime: 5_000 },
  );

type VersionIn = Received<AgentVersionSummary> | null | undefined;

const versionPage: PageForm<typeof listAgentVersions, VersionIn> = {
  pageOf: ({ versions, next_cursor }) => ({ rows: versions ?? [], cursor: next_cursor || null }),
  // What cannot be read is kept, to be counted.
  idOf: (one) => JSON.stringify(one?.major_version ?? one ?? null),
};

/** The versions of an agent, newest first, page by page (public, `can("agent_versions")`). */
export const versionPages = (api: Api, agentId: string) =>
  paged(
    api,
    listAgentVersions,
    (page) => ({ params: { agent_id: agentId }, query: { page_size: pageSize, ...page } }),
    versionPage,
  );

/** All reads about agents. */
export const agentQueries = {
  /** The first 100 agents that fit. */
  list: (api: Api, filters: AgentFilters = {}) => agentPages(api, filters).first,

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

  /** Its newest versions (public, `can("agent_versions")`). */
  versions: (api: Api, agentId: string) => versionPages(api, agentId).first,

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

/** Reads about models. */
export const modelQueries = {
  /** The valid values of an agent's `model_name`, in groups (§4.15). */
  list: (api: Api) => readOptions(api, listModels, {}, { staleTime: 60_000 }),
};
