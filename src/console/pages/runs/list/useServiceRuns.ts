import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { runQueries } from "../../../api/queries/runs.ts";
import { useApi } from "../../../components/api-context.tsx";
import { useRead } from "../../../components/useRead.ts";
import { countViews, type RunList, rowsOf } from "./run-list.ts";
import { filtersOf, isInView, type RunsSearch } from "./search.ts";
import { useOlder } from "./useOlder.ts";

/** What the service lists. `now` in ms, moving in steps of minutes at most. */
export function useServiceRuns(search: RunsSearch, now: number): RunList {
  const api = useApi();
  const baseFilters = useMemo(() => filtersOf(search, now, false), [search, now]);
  const allFilters = useMemo(() => filtersOf(search, now, true), [search, now]);
  const isNarrowed = search.state !== undefined || (search.view ?? "all") !== "all";
  const baseOptions = runQueries.list(api, baseFilters);
  const base = useRead({ ...baseOptions, placeholderData: keepPreviousData });
  // One page that holds everything is filtered here; only a longer list is asked for again, narrowed.
  const isWhole = base.data !== undefined && !base.data.data.next_cursor;
  const narrowOptions = runQueries.list(api, allFilters);
  const isAsked = isNarrowed && base.data !== undefined && !isWhole;
  const narrow = useRead({ ...narrowOptions, enabled: isAsked, placeholderData: keepPreviousData });
  const query = isAsked ? narrow : base;
  const me = api.who.userId;

  const newest = useMemo(() => rowsOf(query.data?.data.runs ?? [], api), [query.data, api]);
  const { rows, older } = useOlder(
    newest,
    query.data?.data.next_cursor ?? null,
    isAsked ? allFilters : baseFilters,
  );
  const shown = useMemo(() => {
    if (!isNarrowed) return rows;
    const { view = "all", state } = search;
    return rows.filter((run) => isInView(run, view, now, me) && (state === undefined || run.state === state));
  }, [rows, isNarrowed, search, now, me]);
  return {
    rows: shown,
    counts: isWhole && base.data ? countViews(rowsOf(base.data.data.runs ?? [], api), now, me) : {},
    query,
    damage: query.data?.damage ?? [],
    older,
  };
}
