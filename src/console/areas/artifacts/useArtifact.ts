import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { isNotFound, isRetryable } from "../../api/errors.ts";
import { once } from "../../api/poll.ts";
import { pollOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { agentQueries } from "../directory/index.ts";
import { type ArtifactFile, groupFiles } from "./artifact-row.ts";
import { filtersFor, linkOf, scopeOf } from "./links.ts";
import {
  type ArtifactIn,
  type ArtifactLink,
  artifactQueries,
  findInList,
  knownArtifact,
  readArtifacts,
} from "./queries.ts";

/**
 * One artifact by its id. The interface has no read of one: a list of this tab may hold it already, else it is looked
 * for; then the list, narrowed down to its file, is watched.
 */
export function useArtifact(artifactId: string, agentId: string | undefined) {
  const api = useApi();
  const queries = useQueryClient();
  useCan("artifacts");
  const [known] = useState(() => knownArtifact(api, queries, artifactId));
  const located = useRead({
    queryKey: [api.id, "locate artifact", artifactId, agentId ?? null],
    queryFn: ({ signal }) => locate(api, queries, artifactId, agentId, signal),
    enabled: known === null,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    retry: (count: number, error: Error) => count < 2 && isRetryable(error),
    refetchInterval: (query) => pollOptions(api, once).refetchInterval(query),
  });
  const start = known ?? located.data?.row ?? null;
  const scope = start === null ? null : scopeOf(api, start.agent_id ?? agentId);
  const isWatchable = start !== null && scope !== null && Boolean(start.filename || start.session_id);
  const options = artifactQueries.list(
    api,
    scope ?? { kind: "all" },
    start === null ? {} : filtersFor(start),
  );
  const watched = useRead({ ...options, enabled: isWatchable });
  const rows = watched.data?.data;
  const file = useMemo(
    (): ArtifactFile | null =>
      start === null ? null : (fileIn(readArtifacts(rows), artifactId) ?? fileOf(start)),
    [start, rows, artifactId],
  );
  // A list that was read whole and does not hold it says that it is gone.
  const isListedWhole = isWatchable && rows !== undefined && !rows.next_cursor;
  const wasListed = known !== null || (start?.version_id ?? null) !== null;
  const isGone = isListedWhole && wasListed && fileIn(readArtifacts(rows), artifactId) === null;
  return {
    file: isGone ? null : file,
    isGone,
    located,
    watched,
    queryKey: options.queryKey as readonly unknown[],
    damage: watched.data?.damage ?? [],
  };
}

const fileIn = (rows: readonly ArtifactIn[], id: string): ArtifactFile | null =>
  groupFiles(rows).find((file) => file.versions.some((row) => row.id === id)) ?? null;

const fileOf = (row: ArtifactIn): ArtifactFile => ({
  newest: row,
  versions: [row],
  count: row.major_version ?? 1,
});

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
async function locate(
  api: Api,
  queries: QueryClient,
  artifactId: string,
  agentId: string | undefined,
  signal: AbortSignal,
): Promise<Located> {
  const link = await linkOf(api, artifactId, null, signal);
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
