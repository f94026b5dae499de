import { useQueries } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { runQueries } from "../../../api/queries/runs.ts";
import { isMoving } from "../../../api/run-state.ts";
import { useApi } from "../../../components/api-context.tsx";
import { rowOfHistory } from "../../../components/run/run-row.ts";
import { countViews, type RunList } from "./run-list.ts";
import { fits, type RunsSearch } from "./search.ts";

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
    older: null,
  };
}
