import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type ArtifactScope, artifactQueries, readArtifacts } from "../../../api/queries/artifacts.ts";
import { useApi } from "../../api-context.tsx";
import { useNow } from "../../time/clock.tsx";
import { useRead } from "../../useRead.ts";
import { groupFiles } from "../artifact-row.ts";
import { filtersOf, fits, narrowsHere } from "./filters.ts";
import { mergeRows } from "./merge-rows.ts";
import type { ArtifactsSearch } from "./search.ts";

const minute = 60_000;

/** The artifacts of a scope as far as they were read, filtered as the address says, versions under their file. */
export function useArtifactList(scope: ArtifactScope, search: ArtifactsSearch, enabled = true) {
  const api = useApi();
  const { kind } = scope;
  const now = useNow(search.since !== undefined, minute);
  const me = api.who.userId;
  const filters = filtersOf(search, kind, now, me);
  const options = artifactQueries.list(api, scope, filters);
  const first = useRead({ ...options, enabled, placeholderData: keepPreviousData });
  const cursor = first.data?.data.next_cursor ?? null;
  const newest = useMemo(() => readArtifacts(first.data?.data), [first.data]);
  const more = useInfiniteQuery({
    ...artifactQueries.more(api, scope, filters, { rows: newest, cursor }),
    enabled: false,
  });
  const order = filters.sort_order ?? "newest";
  const rows = useMemo(() => {
    const older = more.data?.pages.flatMap((page) => page.rows) ?? [];
    return mergeRows(newest, older, order, cursor === null);
  }, [newest, more.data, order, cursor]);
  const { of, type, by, since } = search;
  const shown = useMemo(() => {
    const narrow = { of, type, by, since };
    if (!narrowsHere(narrow, kind)) return rows;
    return rows.filter((row) => fits(row, narrow, now, me));
  }, [rows, kind, of, type, by, since, now, me]);
  const files = useMemo(() => groupFiles(shown), [shown]);
  const allFiles = useMemo(() => groupFiles(rows), [rows]);
  const hasMore = cursor !== null && (more.data === undefined || more.hasNextPage);
  return {
    /** What the filters leave. */
    files,
    /** All that were read. */
    allFiles,
    query: first,
    queryKey: options.queryKey as readonly unknown[],
    damage: first.data?.damage ?? [],
    /** There are artifacts that were not read yet. */
    hasMore,
    readMore: () => void (more.data ? more.fetchNextPage() : more.refetch()),
    isReadingMore: more.isFetching,
    /** Why the last page could not be read; null where it could. */
    moreError: more.error,
  };
}

export type ArtifactList = ReturnType<typeof useArtifactList>;
