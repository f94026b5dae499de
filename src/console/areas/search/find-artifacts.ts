import type { QueryClient } from "@tanstack/react-query";
import { listAgentArtifacts, listArtifacts } from "../../../contract/artifacts.ts";
import { call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import type { Api } from "../../lib/api.tsx";
import { type ArtifactIn, readArtifacts } from "../artifacts/index.ts";
import { agentQueries } from "../directory/index.ts";

import type { Corpus } from "./corpus.ts";
import type { Excerpt, SearchQuery } from "./worker/excerpt.ts";
import type { Hit } from "./worker/hit.ts";

/** An artifact whose name has what is looked for. */
export interface ArtifactFound {
  readonly row: ArtifactIn;
  readonly name: Excerpt;
}

export interface ArtifactsFound {
  readonly rows: readonly ArtifactFound[];
  /** `all`: the service itself looked through all of them. `newest`: only the newest of each list were looked at. */
  readonly reach: "all" | "newest";
  /** There are more that fit than were listed. */
  readonly isCut: boolean;
  /** Of so many agents; null: of all. */
  readonly agents: number | null;
}

const pageSize = 100;
/** Where the artifacts are listed agent by agent, so many are asked. */
const mostAgents = 10;

/**
 * Artifacts by their names: the service's own search for a text, the newest of each list for a pattern. Where it has no
 * list of all artifacts, those of the newest agents are asked for (§4.8).
 */
export async function findArtifacts(
  { api, corpus, queries }: { api: Api; corpus: Corpus; queries: QueryClient },
  query: SearchQuery,
  signal: AbortSignal,
): Promise<ArtifactsFound> {
  const filters = { ...(!query.regex && { search_query: query.text }), page_size: pageSize };
  const options = { signal, poll: true };
  const listed: ArtifactIn[] = [];
  let isCut = false;
  const add = ({
    data,
  }: {
    data: Parameters<typeof readArtifacts>[0] & { next_cursor?: string | null | undefined };
  }) => {
    listed.push(...readArtifacts(data));
    isCut ||= Boolean(data.next_cursor);
  };
  const isOfAll = api.capabilities.can("artifacts");
  let agents: number | null = null;
  if (isOfAll) {
    add(
      await corpus.limited(signal, () =>
        call(api, listArtifacts, { query: { ...teamScope(api), ...filters } }, options),
      ),
    );
  } else {
    const { data } = await queries.fetchQuery({ ...agentQueries.list(api), staleTime: 60_000 });
    const ids = (data.agents ?? []).flatMap((agent) => agent?.id ?? []).slice(0, mostAgents);
    agents = ids.length;
    await Promise.all(
      ids.map(async (agent_id) =>
        add(
          await corpus.limited(signal, () =>
            call(api, listAgentArtifacts, { params: { agent_id }, query: filters }, options),
          ),
        ),
      ),
    );
  }
  const names = await namesIn(corpus, listed, query, signal);
  const rows = listed.flatMap((row): readonly ArtifactFound[] => {
    const name = names.get(row.id);
    // The service may know it by more than its name.
    return name ? [{ row, name }] : query.regex ? [] : [{ row, name: { text: nameOf(row), marks: [] } }];
  });
  return { rows: uniqueRows(rows), reach: query.regex ? "newest" : "all", isCut, agents };
}

const nameOf = ({ filename, id }: ArtifactIn): string => filename || id;

/** Where the names have it: looked for in the worker, since a pattern may never come to an end. */
async function namesIn(
  corpus: Corpus,
  rows: readonly ArtifactIn[],
  query: SearchQuery,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Hit>> {
  const found = new Map<string, Hit>();
  if (rows.length === 0) return found;
  const fields = rows.map((row) => ({
    kind: "artifacts" as const,
    at: row.id,
    label: "",
    text: nameOf(row),
  }));
  await corpus.searcher.find(
    { key: null, fields, query, kinds: ["artifacts"], most: rows.length },
    (hits) => {
      for (const hit of hits) found.set(hit.at, hit);
    },
    signal,
  );
  return found;
}

function uniqueRows(rows: readonly ArtifactFound[]): readonly ArtifactFound[] {
  return [...new Map(rows.map((one) => [one.row.id, one])).values()];
}
