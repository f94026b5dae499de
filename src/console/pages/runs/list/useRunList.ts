import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { RunSummary } from "../../../../contract/runs.ts";
import type { Api } from "../../../api/api.ts";
import { runQueries } from "../../../api/queries/runs.ts";
import type { Damage } from "../../../api/receive.ts";
import { isMoving } from "../../../api/run-state.ts";
import { useApi } from "../../../components/api-context.tsx";
import { type RunRow, rowOfHistory, rowOfService } from "../../../components/run/run-row.ts";
import { filtersOf, fits, isInView, type RunsSearch, type RunsView, views } from "./search.ts";

/** The runs of the page, wherever they are known from. */
export interface RunList {
  readonly rows: readonly RunRow[];
  /** How many runs each view has; undefined where only the service could count them. */
  readonly counts: Partial<Record<RunsView, number>>;
  /** The query that says how fresh the list is. */
  readonly query: {
    readonly queryKey: readonly unknown[];
    readonly error: unknown;
    readonly isPending: boolean;
    readonly isFetching: boolean;
    readonly dataUpdatedAt: number;
    refetch(): unknown;
  } | null;
  readonly damage: readonly Damage[];
  /** Reads the next older page; null where there is none. */
  readonly more: (() => void) | null;
  readonly isReadingMore: boolean;
}

/** What the service lists. `now` in ms, moving in steps of minutes at most. */
export function useServiceRuns(search: RunsSearch, now: number): RunList {
  const api = useApi();
  const baseFilters = useMemo(() => filtersOf(search, now, false), [search, now]);
  const allFilters = useMemo(() => filtersOf(search, now, true), [search, now]);
  const isNarrowed = search.state !== undefined || (search.view ?? "all") !== "all";
  const baseOptions = runQueries.list(api, baseFilters);
  const base = useQuery({ ...baseOptions, placeholderData: keepPreviousData });
  // One page that holds everything is filtered here; only a longer list is asked for again, narrowed.
  const isWhole = base.data !== undefined && !base.data.data.next_cursor;
  const narrowOptions = runQueries.list(api, allFilters);
  const isAsked = isNarrowed && base.data !== undefined && !isWhole;
  const narrow = useQuery({ ...narrowOptions, enabled: isAsked, placeholderData: keepPreviousData });
  const query = isAsked ? narrow : base;
  const filters = isAsked ? allFilters : baseFilters;
  const cursor = query.data?.data.next_cursor ?? "";
  const older = useInfiniteQuery({ ...runQueries.older(api, filters, cursor), enabled: false });
  const me = api.who.userId;

  const rows = useMemo(() => {
    const pages = [
      query.data?.data,
      ...(cursor === "" ? [] : (older.data?.pages.map((page) => page.data) ?? [])),
    ];
    return rowsOf(
      pages.flatMap((page) => page?.runs ?? []),
      api,
    );
  }, [query.data, older.data, cursor, api]);
  const shown = useMemo(
    () =>
      isNarrowed
        ? rows.filter(
            (run) =>
              isInView(run, search.view ?? "all", now, me) &&
              (search.state === undefined || run.state === search.state),
          )
        : rows,
    [rows, isNarrowed, search.view, search.state, now, me],
  );
  return {
    rows: shown,
    counts: isWhole && base.data ? countViews(rowsOf(base.data.data.runs ?? [], api), now, me) : {},
    query: { ...query, queryKey: isAsked ? narrowOptions.queryKey : baseOptions.queryKey },
    damage: query.data?.damage ?? [],
    more:
      cursor === "" || (older.data && !older.hasNextPage)
        ? null
        : () => void (older.data ? older.fetchNextPage() : older.refetch()),
    isReadingMore: older.isFetching,
  };
}

/** At most so many runs are asked for one by one. */
const mostWatched = 40;

/** What this browser knows, where the service lists nothing: moving runs are read one by one. */
export function useKnownRuns(search: RunsSearch, now: number): RunList {
  const api = useApi();
  const known = useSyncExternalStore(api.history.runs.subscribe, api.history.runs.get);
  const me = api.who.userId;
  const all = useMemo(() => known.flatMap((run) => rowOfHistory(run, me) ?? []), [known, me]);
  const watched = all.filter((run) => isMoving(run.state)).slice(0, mostWatched);
  const reads = useQueries({ queries: watched.map((run) => runQueries.run(api, run.runId)) });
  const fresh = new Map(
    reads.flatMap((read) =>
      read.data?.data.run_id ? [[read.data.data.run_id, read.data.data] as const] : [],
    ),
  );
  const rows = all
    .map((row) => {
      const read = fresh.get(row.runId);
      return read
        ? {
            ...row,
            state: read.state ?? row.state,
            createdTs: read.created_ts ?? row.createdTs,
            finishedTs: read.finished_ts ?? null,
          }
        : row;
    })
    .filter((row) => fits(row, search, now, me));
  const first = watched[0];
  const firstRead = reads[0];
  return {
    rows,
    counts: countViews(all, now, me),
    query:
      first && firstRead
        ? { ...firstRead, isPending: false, queryKey: runQueries.run(api, first.runId).queryKey }
        : null,
    damage: [],
    more: null,
    isReadingMore: false,
  };
}

function countViews(
  rows: readonly RunRow[],
  now: number,
  me: string | null,
): Partial<Record<RunsView, number>> {
  return Object.fromEntries(
    views.map((view) => [view, rows.filter((run) => isInView(run, view, now, me)).length]),
  );
}

/** Rows of the service, with what this browser knows of the same runs beside it. Ids that come twice are taken once. */
function rowsOf(runs: readonly (Received<RunSummary> | undefined)[], api: Api): readonly RunRow[] {
  const known = new Map(api.history.runs.get().map((run) => [run.runId, run]));
  const seen = new Set<string>();
  return runs.flatMap((run) => {
    const row = run ? rowOfService(run) : null;
    if (!row || seen.has(row.runId)) return [];
    seen.add(row.runId);
    const own = known.get(row.runId);
    return own?.provenance === "started-here" ? [{ ...row, source: own.provenance }] : [row];
  });
}
