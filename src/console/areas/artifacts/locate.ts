import type { QueryClient } from "@tanstack/react-query";
import { isNotFound } from "../../api/errors.ts";
import type { Api } from "../../lib/api/api.ts";
import { agentQueries } from "../directory/index.ts";

import { type ArtifactIn, type ArtifactLink, findInList, readArtifactLink } from "./queries.ts";

/** Where an artifact was looked for. `row` is null where it was in none of these places. */
export interface Located {
  readonly row: ArtifactIn | null;
  /** Lists of so many agents were looked through; null: the list of all artifacts. */
  readonly agents: number | null;
  /** The agents' lists are longer than what was looked through. */
  readonly isCut: boolean;
}

const mostAgents = 25;
const pagesOfAgent = 10;

/**
 * Finds an artifact of which only the id is known: the interface has no read of one artifact. Asked are its link, which
 * tells its name; then the list of all artifacts; else the list of its agent, or of every agent.
 * @throws ConsoleError `not_found` where the service says that there is none
 */
export async function locate(
  api: Api,
  queries: QueryClient,
  artifactId: string,
  agentId: string | undefined,
  signal: AbortSignal,
): Promise<Located> {
  const link = await tryLink(api, artifactId, signal);
  const filters = link?.filename ? { search_query: link.filename } : {};
  const isIt = (row: ArtifactIn) => row.id === artifactId;
  if (api.capabilities.can("artifacts")) {
    const row = await findInList(api, { kind: "all" }, filters, isIt, { signal });
    return { row: row ?? rowOf(artifactId, link), agents: null, isCut: false };
  }
  const all = agentId === undefined ? await agentsOf(api, queries) : [agentId];
  const agents = all.slice(0, mostAgents);
  for (const agent of agents) {
    const scope = { kind: "agent", agentId: agent } as const;
    const row = await findInList(api, scope, filters, isIt, { signal, mostPages: pagesOfAgent }).catch(
      (error: unknown) => {
        // One agent that was retired meanwhile is no reason to look no further.
        if (!isNotFound(error)) throw error;
        return null;
      },
    );
    if (row) return { row, agents: agents.length, isCut: false };
  }
  return { row: rowOf(artifactId, link), agents: agents.length, isCut: agents.length < all.length };
}

async function tryLink(api: Api, artifactId: string, signal: AbortSignal): Promise<ArtifactLink | null> {
  if (!api.capabilities.can("artifact_download")) return null;
  try {
    return await readArtifactLink(api, artifactId, null, signal);
  } catch (error) {
    // A service that names what it has means it; of a stranger's it was only guessed.
    if (api.capabilities.known.get().named !== null) throw error;
    return null;
  }
}

async function agentsOf(api: Api, queries: QueryClient): Promise<readonly string[]> {
  const read = await queries.fetchQuery(agentQueries.list(api, { sort_order: "name_asc" }));
  return (read.data.agents ?? []).flatMap((agent) => agent?.id ?? []);
}

/** What a link tells of an artifact that no list has, such as one that somebody else gave. */
function rowOf(id: string, link: ArtifactLink | null): ArtifactIn | null {
  if (link === null) return null;
  const { url, filename, mediaType, size } = link;
  return { id, filename, url, metadata: { media_type: mediaType, size } };
}
