import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { RunSummary } from "../../../../contract/runs.ts";
import type { Damage } from "../../../api/receive.ts";
import type { Api } from "../../../lib/api.tsx";
import { useApi } from "../../../lib/api.tsx";
import { type More, usePages } from "../../../lib/paging/usePages.ts";
import { drawnBy, type Read, readOf } from "../../../lib/paging/useRead.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { useStore } from "../../../lib/useStore.ts";
import { runPages, runQueries } from "../queries.ts";
import { type RunRow, rowOfHistory, rowOfService } from "../run-row.ts";
import type { RunsSearch, RunsView } from "../search.ts";
import type { RunRead } from "../worker/run-reader-client.ts";
import { countViews, filtersOf, fits, isInView } from "./filters.ts";

/** The runs of the page, wherever they are known from. */
export interface RunList {
  readonly rows: readonly RunRow[];
  /** How many runs each view has; undefined where only the service could count them. */
  readonly counts: Partial<Record<RunsView, number>>;
  /** The query that says how fresh the list is. */
  readonly query: Read<unknown> | null;
  readonly damage: readonly Damage[];
  /** Older runs, where there are any. */
  readonly older: More | null;
}

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

/** What this browser knows, where the service lists nothing. */
export function useKnownRuns(search: RunsSearch, now: number): RunList {
  const me = useApi().who.userId;
  const { rows, query } = useKnownRows();
  return {
    rows: rows.filter((row) => fits(row, search, now, me)),
    counts: countViews(rows, now, me),
    query,
    damage: [],
    older: null,
  };
}

/** The present moment in ms, ticking only while one of the runs moves. */
export function useRunsNow(runs: readonly RunRow[]): number {
  return useNow(runs.some((run) => isMoving(run.state)));
}

/** The present minute in ms: what filters by time need, without a render in each second. */
export const useMinute = (): number => useNow(true, 60_000);

/** At most so many runs are asked for one by one. */
const mostWatched = 40;

interface KnownRows {
  /** Newest first. */
  readonly rows: readonly RunRow[];
  /** The first of the runs that are read one by one, for saying how fresh the rows are; null while none moves. */
  readonly query: Read<RunRead> | null;
}

/** The runs that this browser knows, where the service lists none: moving ones are read one by one. */
export function useKnownRows(): KnownRows {
  const api = useApi();
  const client = useQueryClient();
  const known = useStore(api.history.runs);
  const me = api.who.userId;
  const all = useMemo(() => known.flatMap((run) => rowOfHistory(run, me) ?? []), [known, me]);
  const watched = all.filter((run) => isMoving(run.state)).slice(0, mostWatched);
  const reads = useQueries({
    queries: watched.map((run) => {
      const options = runQueries.run(api, run.runId, { inBackground: true });
      return { ...options, notifyOnChangeProps: drawnBy(client, options.queryKey) };
    }),
  });
  const fresh = new Map(
    reads.flatMap((read) =>
      read.data?.data.run_id ? [[read.data.data.run_id, read.data.data] as const] : [],
    ),
  );
  const rows = all.map((row) => {
    const read = fresh.get(row.runId);
    if (!read) return row;
    return {
      ...row,
      state: read.state ?? row.state,
      createdTs: read.created_ts ?? row.createdTs,
      finishedTs: read.finished_ts ?? null,
    };
  });
  const first = watched[0];
  const firstRead = reads[0];
  const query =
    first && firstRead
      ? { ...readOf(firstRead, runQueries.run(api, first.runId).queryKey), isPending: false }
      : null;
  return { rows, query };
}
