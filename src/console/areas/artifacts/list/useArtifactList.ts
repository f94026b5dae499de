import { useMemo } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { groupFiles } from "../artifact-row.ts";
import { type ArtifactScope, artifactPages } from "../queries.ts";
import { filtersOf, fits, narrowsHere } from "./filters.ts";
import type { ArtifactsSearch } from "./search.ts";

const minute = 60_000;

/** The artifacts of a scope as far as they were read, filtered as the address says, versions under their file. */
export function useArtifactList(scope: ArtifactScope, search: ArtifactsSearch, enabled = true) {
  const api = useApi();
  const { kind } = scope;
  const now = useNow(search.since !== undefined, minute);
  const me = api.who.userId;
  const filters = filtersOf(search, kind, now, me);
  const { query, damage, more, rows } = usePages(artifactPages(api, scope, filters), { enabled });
  const { of, type, by, since } = search;
  const shown = useMemo(() => {
    const narrow = { of, type, by, since };
    if (!narrowsHere(narrow, kind)) return rows;
    return rows.filter((row) => fits(row, narrow, now, me));
  }, [rows, kind, of, type, by, since, now, me]);
  const files = useMemo(() => groupFiles(shown), [shown]);
  const allFiles = useMemo(() => groupFiles(rows), [rows]);
  return {
    /** What the filters leave. */
    files,
    /** All that were read. */
    allFiles,
    query,
    queryKey: query.queryKey,
    damage,
    more,
  };
}

export type ArtifactList = ReturnType<typeof useArtifactList>;
