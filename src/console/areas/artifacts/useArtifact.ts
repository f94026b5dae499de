import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { isRetryable } from "../../api/errors.ts";
import { once } from "../../api/poll.ts";
import { pollOptions } from "../../api/read.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { type ArtifactFile, groupFiles } from "./artifact-row.ts";
import { filtersFor, scopeOf } from "./links.ts";
import { type ArtifactIn, artifactQueries, readArtifacts } from "./queries.ts";
import { knownArtifact, locatedArtifact } from "./queries-of-one.ts";

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
    ...locatedArtifact(api, artifactId, agentId),
    enabled: known === null,
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
