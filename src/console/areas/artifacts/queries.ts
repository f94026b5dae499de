import { type Artifact, listAgentArtifacts, listArtifacts } from "../../../contract/artifacts.ts";
import type { Call, Received } from "../../../contract/define.ts";
import { teamScope } from "../../api/connection.ts";
import { paged } from "../../api/paged.ts";
import { walkPages } from "../../api/pages.ts";
import { slow } from "../../api/poll.ts";
import type { Api } from "../../lib/api.tsx";

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

const pageSize = 100;

/** Those with an id, each version once. */
export function readArtifacts(
  data: { readonly artifacts?: readonly (Received<Artifact> | null)[] | null | undefined } | undefined,
): readonly ArtifactIn[] {
  return (data?.artifacts ?? []).filter(
    (one): one is ArtifactIn => one !== null && typeof one.id === "string" && one.id !== "",
  );
}

/** What tells a version of an artifact from the others, also of a service that does not name them. */
export const versionOf = (row: ArtifactIn): string =>
  row.version_id ?? JSON.stringify([row.major_version, row.created_at, row.metadata?.size]);

const artifactPage = {
  pageOf: (data: Parameters<typeof readArtifacts>[0] & { next_cursor?: string | null | undefined }) => ({
    rows: readArtifacts(data),
    cursor: data.next_cursor || null,
  }),
  idOf: (row: ArtifactIn) => `${row.id}\n${versionOf(row)}`,
};

const asOften = { policy: slow, staleTime: 5_000 };

/** Why others can open what the person made: it was opened to them, or it was made for a team. */
export type SharedWhy = "by hand" | "through a team";

const ofAll = (api: Api, scope: Extract<ArtifactScope, { kind: "all" }>) => ({
  ...teamScope(api),
  ...(scope.agentId !== undefined && { agent_id: scope.agentId }),
  ...(scope.shared === "by hand" && { shared_by_me: true }),
  ...(scope.shared === "through a team" && { shared_through_team: true }),
});

const pagesOfAll = (api: Api, scope: Extract<ArtifactScope, { kind: "all" }>, filters: ArtifactFilters) =>
  paged(
    api,
    listArtifacts,
    (page) => ({ query: { ...filters, ...ofAll(api, scope), page_size: pageSize, ...page } }),
    artifactPage,
    asOften,
  );

/** The artifacts of a scope, page by page. */
export function artifactPages(api: Api, scope: ArtifactScope, filters: ArtifactFilters = {}) {
  if (scope.kind === "all") return pagesOfAll(api, scope, filters);
  const params = { agent_id: scope.agentId };
  return paged(
    api,
    listAgentArtifacts,
    (page) => ({ params, query: { ...filters, page_size: pageSize, ...page } }),
    artifactPage,
    asOften,
  );
}

/** Reads about artifacts. */
export const artifactQueries = {
  /** The first page of the artifacts of all agents (own, `can("artifacts")`). */
  all: (
    api: Api,
    filters: ArtifactFilters = {},
    scope: Extract<ArtifactScope, { kind: "all" }> = { kind: "all" },
  ) => pagesOfAll(api, scope, filters).first,

  /** The first page, of whatever scope. */
  list: (api: Api, scope: ArtifactScope, filters: ArtifactFilters = {}) =>
    artifactPages(api, scope, filters).first,
};

/** Reads an artifacts list page by page until a row is the one that is wanted; null when it is not among them. */
export async function findInList(
  api: Api,
  scope: ArtifactScope,
  filters: ArtifactFilters,
  isWanted: (row: ArtifactIn) => boolean,
  { signal, mostPages = 20 }: { signal: AbortSignal; mostPages?: number },
): Promise<ArtifactIn | null> {
  const { read, idOf } = artifactPages(api, scope, filters);
  let pages = 0;
  for await (const { rows } of walkPages((cursor) => read(cursor, { signal }), idOf)) {
    const found = rows.find(isWanted);
    if (found) return found;
    pages += 1;
    if (pages === mostPages) break;
  }
  return null;
}
