import { listAgentArtifacts, listArtifacts } from "../../../contract/artifacts.ts";
import type { Call } from "../../../contract/define.ts";
import { type Api, teamScope } from "../api.ts";
import { slow } from "../poll.ts";
import { readOptions } from "../read.ts";

/** Filters and order of an artifacts list; `cursor` is the `next_cursor` of the page before. */
export type ArtifactFilters = Omit<NonNullable<Call<typeof listAgentArtifacts>["query"]>, "page_size">;

/** Reads about artifacts. */
export const artifactQueries = {
  /** One page of an agent's artifacts (§4.8). */
  ofAgent: (api: Api, agentId: string, filters: ArtifactFilters = {}) =>
    readOptions(
      api,
      listAgentArtifacts,
      { params: { agent_id: agentId }, query: { ...filters, page_size: 100 } },
      { policy: slow },
    ),

  /** One page of the artifacts of all agents (own, `can("artifacts")`). */
  all: (api: Api, filters: ArtifactFilters = {}) =>
    readOptions(
      api,
      listArtifacts,
      { query: { ...filters, ...teamScope(api), page_size: 100 } },
      { policy: slow },
    ),
};
