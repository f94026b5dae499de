import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { getArtifactDownload, listAgentArtifacts, listArtifacts } from "../../../contract/artifacts.ts";
import { call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { ConsoleError, isNotFound } from "../../api/errors.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { agentQueries } from "../directory/index.ts";
import { type ArtifactIn, findInList, readArtifacts } from "./queries.ts";

/** Where the bytes of one version are to be had just now. */
export interface ArtifactLink {
  /** Signed, for a limited time. */
  readonly url: string;
  readonly filename: string | null;
  readonly mediaType: string | null;
  /** Bytes. */
  readonly size: number | null;
}

/**
 * A fresh link (public, `can("artifact_download")`). Never kept: links end.
 * @param versionId null: the newest
 * @throws ConsoleError, `not_found` for an unknown or deleted artifact
 */
async function readArtifactLink(
  api: Api,
  artifactId: string,
  versionId: string | null,
  signal?: AbortSignal,
): Promise<ArtifactLink> {
  const query = { ...teamScope(api), ...(versionId !== null && { version_id: versionId }) };
  const { data, requestId } = await call(
    api,
    getArtifactDownload,
    { params: { artifact_id: artifactId }, query },
    { signal },
  );
  if (!data.download_url) {
    throw new ConsoleError({ kind: "contract", path: "download_url", requestId }, getArtifactDownload.name);
  }
  const { download_url, filename, media_type, size } = data;
  return { url: download_url, filename: filename ?? null, mediaType: media_type ?? null, size: size ?? null };
}

/** A link by its own endpoint; null where this service has no such endpoint. @throws ConsoleError */
export async function linkOf(
  api: Api,
  artifactId: string,
  versionId: string | null,
  signal?: AbortSignal,
): Promise<ArtifactLink | null> {
  const { can, known } = api.capabilities;
  if (!can("artifact_download")) return null;
  try {
    return await readArtifactLink(api, artifactId, versionId, signal);
  } catch (error) {
    // A service that names what it has means it; of a stranger's it was only guessed: without it the list is asked.
    if (known.get().named !== null) throw error;
    return null;
  }
}

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

/** One artifact of which only the id is known, looked for once. @param agentId whose it is, where that is known */
export const locatedArtifact = (api: Api, artifactId: string, agentId: string | undefined) =>
  queryOptions({
    queryKey: [api.id, "locate artifact", artifactId, agentId ?? null],
    queryFn: ({ signal, client }) => locate(api, client, artifactId, agentId, signal),
    staleTime: 60_000,
  });

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
  const known = knownArtifact(api, queries, artifactId);
  if (known !== null) return { row: known, agents: null, isCut: false };
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

/** An artifact that some list of this tab has read already; null where none has. */
export function knownArtifact(api: Api, queries: QueryClient, artifactId: string): ArtifactIn | null {
  for (const endpoint of [listArtifacts, listAgentArtifacts]) {
    for (const [, held] of queries.getQueriesData<unknown>({ queryKey: keyOf(api, endpoint) })) {
      const found = rowsOf(held).find((row) => row.id === artifactId);
      if (found) return found;
    }
  }
  return null;
}

function rowsOf(held: unknown): readonly ArtifactIn[] {
  const { data, rows } = (held ?? {}) as {
    data?: Parameters<typeof readArtifacts>[0];
    rows?: readonly ArtifactIn[];
  };
  return rows ?? readArtifacts(data);
}
