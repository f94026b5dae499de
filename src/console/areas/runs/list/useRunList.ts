import { useMemo } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { RunSummary } from "../../../../contract/runs.ts";
import type { Damage } from "../../../api/receive.ts";
import type { Api } from "../../../lib/api.tsx";
import { useApi } from "../../../lib/api.tsx";
import { type More, usePages } from "../../../lib/paging/usePages.ts";
import type { Read } from "../../../lib/paging/useRead.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { runPages } from "../list-queries.ts";
import { type RunRow, rowOfService } from "../run-row.ts";
import type { RunsSearch, RunsView } from "../search.ts";
import { countViews, filtersOf, isInView } from "./filters.ts";

/** The runs of the page, wherever they are known from. */
export interface RunList {
  readonly rows: readonly RunRow[];
  /** How many runs each view has; undefined where only the service could count them. */
  readonly counts: Partial<Record<RunsView, number>>;
  /** The query that says how fresh the list is. */
  readonly query: Read<unknown> | null;
  readonly damage: readonly Damage[];
  readonly more: More | null;
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
    more,
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

/** The present moment in ms, ticking only while one of the runs moves. */
export function useRunsNow(runs: readonly RunRow[]): number {
  return useNow(runs.some((run) => isMoving(run.state)));
}

/** The present minute in ms: what filters by time need, without a render in each second. */
export const useMinute = (): number => useNow(true, 60_000);
