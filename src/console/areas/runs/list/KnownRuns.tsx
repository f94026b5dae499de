import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../lib/api.tsx";
import { drawnBy, type Read, readOf } from "../../../lib/paging/useRead.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { useStore } from "../../../lib/useStore.ts";
import { rowOfHistory } from "../known-row.ts";
import { runQueries } from "../queries.ts";
import type { RunRow } from "../run-row.ts";
import type { RunsSearch } from "../search.ts";
import type { RunRead } from "../worker/run-reader-client.ts";
import { countViews } from "./filters.ts";
import { matchesFilters } from "./matches-filters.ts";
import { RunsView } from "./RunsView.tsx";
import { type RunList, useMinute } from "./useRunList.ts";

/** The runs that this browser knows, for a service that lists none. */
export default function KnownRuns({ search }: { search: RunsSearch }) {
  return <RunsView search={search} list={useKnownRuns(search, useMinute())} isService={false} />;
}

/** What this browser knows, where the service lists nothing. */
export function useKnownRuns(search: RunsSearch, now: number): RunList {
  const me = useApi().who.userId;
  const { rows, query } = useKnownRows();
  return {
    rows: rows.filter((row) => matchesFilters(row, search, now, me)),
    counts: countViews(rows, now, me),
    query,
    damage: [],
    more: null,
  };
}

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
      ? { ...readOf(firstRead, runQueries.run(api, first.runId).queryKey), isPending: false, isError: false }
      : null;
  return { rows, query };
}
