import { useMemo } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { runPages } from "../list-queries.ts";
import { countViews, type RunList, rowsOf } from "./run-list.ts";
import { filtersOf, isInView, type RunsSearch } from "./search.ts";

/** What the service lists. `now` in ms, moving in steps of minutes at most. */
export function useServiceRuns(search: RunsSearch, now: number): RunList {
  const api = useApi();
  const baseFilters = useMemo(() => filtersOf(search, now, false), [search, now]);
  const allFilters = useMemo(() => filtersOf(search, now, true), [search, now]);
  const isNarrowed = search.state !== undefined || (search.view ?? "all") !== "all";
  const base = usePages(runPages(api, baseFilters));
  // One page that holds everything is filtered here; only a longer list is asked for again, narrowed.
  const first = base.query.data;
  const isWhole = first !== undefined && !first.data.next_cursor;
  const isAsked = isNarrowed && first !== undefined && !isWhole;
  const narrow = usePages(runPages(api, allFilters), { enabled: isAsked });
  const { query, damage, more, rows: read } = isAsked ? narrow : base;
  const me = api.who.userId;

  const rows = useMemo(() => rowsOf(read, api), [read, api]);
  const shown = useMemo(() => {
    if (!isNarrowed) return rows;
    const { view = "all", state } = search;
    return rows.filter((run) => isInView(run, view, now, me) && (state === undefined || run.state === state));
  }, [rows, isNarrowed, search, now, me]);
  return {
    rows: shown,
    counts: isWhole ? countViews(rowsOf(base.rows, api), now, me) : {},
    query,
    damage,
    older: more,
  };
}
