import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import {
  type Artifact,
  getArtifactDownload,
  listAgentArtifacts,
  listArtifacts,
} from "../../../contract/artifacts.ts";
import type { Call, Received } from "../../../contract/define.ts";
import { type Api, teamScope } from "../api.ts";
import { call } from "../client.ts";
import { ConsoleError } from "../errors.ts";
import { slow } from "../poll.ts";
import { keyOf, readOptions } from "../read.ts";

/** Filters and order of an artifacts list, all of them the service's; those beyond §4.8 only where all are listed. */
export type ArtifactFilters = Omit<
  NonNullable<Call<typeof listArtifacts>["query"]>,
  "page_size" | "cursor" | "agent_id" | "team_id" | "shared_by_me" | "shared_through_team"
>;

/** Whose artifacts: one agent's by the core (§4.8), or those of all agents (own, `can("artifacts")`). */
export type ArtifactScope =
  | { readonly kind: "agent"; readonly agentId: string }
  | { readonly kind: "all"; readonly agentId?: string | undefined; readonly shared?: SharedWhy };

/** An artifact as it may really come; what has no id can neither be opened nor told apart, and is left out. */
export type ArtifactIn = Received<Artifact> & { readonly id: string };

/** Artifacts read page by page, from the cursor of the page before. */
export interface ArtifactPages {
  readonly rows: readonly ArtifactIn[];
  /** Where the next page begins; null after the last. */
  readonly cursor: string | null;
}

const pageSize = 100;

/** Those with an id, each version once. */
export function readArtifacts(
  data: { readonly artifacts?: readonly (Received<Artifact> | null)[] | null | undefined } | undefined,
): readonly ArtifactIn[] {
  return (data?.artifacts ?? []).filter(
    (one): one is ArtifactIn => one !== null && typeof one.id === "string" && one.id !== "",
  );
}

/** @param cursor null: the first page */
function readPage(
  api: Api,
  scope: ArtifactScope,
  filters: ArtifactFilters,
  cursor: string | null,
  signal: AbortSignal,
) {
  const query = { ...filters, page_size: pageSize, ...(cursor !== null && { cursor }) };
  if (scope.kind === "agent") {
    return call(api, listAgentArtifacts, { params: { agent_id: scope.agentId }, query }, { signal });
  }
  return call(api, listArtifacts, { query: { ...query, ...ofAll(api, scope) } }, { signal });
}

/** Why others can open what the person made: it was opened to them, or it was made for a team. */
export type SharedWhy = "by hand" | "through a team";

/** What a list asks for that has only such artifacts. */
export const sharedQuery = (why: SharedWhy) =>
  why === "by hand" ? { shared_by_me: true } : { shared_through_team: true };

const ofAll = (api: Api, scope: Extract<ArtifactScope, { kind: "all" }>) => ({
  ...teamScope(api),
  ...(scope.agentId !== undefined && { agent_id: scope.agentId }),
  ...(scope.shared !== undefined && sharedQuery(scope.shared)),
});

/** Reads about artifacts. */
export const artifactQueries = {
  /** The first page of an agent's artifacts (§4.8). */
  ofAgent: (api: Api, agentId: string, filters: ArtifactFilters = {}) =>
    readOptions(
      api,
      listAgentArtifacts,
      { params: { agent_id: agentId }, query: { ...filters, page_size: pageSize } },
      { policy: slow, staleTime: 5_000 },
    ),

  /** The first page of the artifacts of all agents (own, `can("artifacts")`). */
  all: (
    api: Api,
    filters: ArtifactFilters = {},
    scope: Extract<ArtifactScope, { kind: "all" }> = { kind: "all" },
  ) =>
    readOptions(
      api,
      listArtifacts,
      { query: { ...filters, ...ofAll(api, scope), page_size: pageSize } },
      { policy: slow, staleTime: 5_000 },
    ),

  /** The first page, of whatever scope. */
  list: (api: Api, scope: ArtifactScope, filters: ArtifactFilters = {}) =>
    scope.kind === "agent"
      ? artifactQueries.ofAgent(api, scope.agentId, filters)
      : artifactQueries.all(api, filters, scope),

  /**
   * The pages after the first, kept under the list's own name, so that they are still there on the way back.
   * @param begin where the first page ended when more was asked for, with what it held: nothing falls between the two
   */
  more: (api: Api, scope: ArtifactScope, filters: ArtifactFilters, begin: ArtifactPages) =>
    infiniteQueryOptions({
      queryKey: [...keyOf(api, listArtifacts), "more", scope, filters],
      queryFn: async ({ pageParam, signal }): Promise<ArtifactPages> => {
        const { data } = await readPage(api, scope, filters, pageParam.cursor, signal);
        const next = data.next_cursor;
        // A service that answers with the cursor that it was given would be asked without end.
        const cursor = next && next !== pageParam.cursor ? next : null;
        return { rows: [...pageParam.rows, ...readArtifacts(data)], cursor };
      },
      initialPageParam: begin,
      getNextPageParam: (last) => (last.cursor === null ? null : { rows: [], cursor: last.cursor }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 600_000,
    }),
};

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
export async function readArtifactLink(
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
  const { data, pages } = (held ?? {}) as {
    data?: Parameters<typeof readArtifacts>[0];
    pages?: readonly ArtifactPages[];
  };
  return pages ? pages.flatMap((page) => page.rows) : readArtifacts(data);
}

/** Reads an artifacts list page by page until a row is the one that is wanted; null when it is not among them. */
export async function findInList(
  api: Api,
  scope: ArtifactScope,
  filters: ArtifactFilters,
  isWanted: (row: ArtifactIn) => boolean,
  { signal, mostPages = 20 }: { signal: AbortSignal; mostPages?: number },
): Promise<ArtifactIn | null> {
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { data }: Awaited<ReturnType<typeof readPage>> = await readPage(
      api,
      scope,
      filters,
      cursor,
      signal,
    );
    const found = readArtifacts(data).find(isWanted);
    if (found) return found;
    if (!data.next_cursor || data.next_cursor === cursor) return null;
    cursor = data.next_cursor;
  }
  return null;
}
