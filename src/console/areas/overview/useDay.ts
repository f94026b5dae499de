import { useMemo } from "react";
import { runStates } from "../../../contract/states.ts";
import { useApi } from "../../lib/api.tsx";
import { type Read, useRead } from "../../lib/paging/useRead.ts";
import { isMoving } from "../../lib/run-state.ts";
import { parseTime } from "../../lib/time/format.ts";
import { type RunRow, rowOfService, runQueries, useKnownRows } from "../runs/index.ts";
import { dayMs, startOf } from "./causes.ts";

/** The runs that the overview is about, wherever they are known from. */
export interface Day {
  /** Newest first; older ones than a day may be among them. */
  readonly rows: readonly RunRow[];
  /** The service lists its runs; otherwise these are what this browser knows. */
  readonly isService: boolean;
  /** Not every run of the last day could be listed. */
  readonly isCut: boolean;
  /** The query that says how fresh it is; null where nothing is asked by itself. */
  readonly query: Read<unknown> | null;
}

const step = 300_000;
const runningStates = Object.keys(runStates)
  .filter((state) => isMoving(state))
  .join(",");

/** The newest runs of the service: the same question as the runs list asks. A longer day is asked for what matters. */
export function useServiceDay(now: number): Day {
  const api = useApi();
  const newest = useRead(runQueries.list(api));
  const isLong = Boolean(newest.data?.data.next_cursor);
  // In steps of five minutes, so that a poll asks the same question as the one before it.
  const after = new Date(Math.floor(now / step) * step - dayMs).toISOString();
  const failed = useRead({
    ...runQueries.list(api, { state: "FAILED", created_after: after }),
    enabled: isLong,
  });
  const running = useRead({ ...runQueries.list(api, { state: runningStates }), enabled: isLong });
  const rows = useMemo(() => {
    const found = new Map<string, RunRow>();
    for (const data of [newest.data, failed.data, running.data]) {
      for (const run of data?.data.runs ?? []) {
        const row = rowOfService(run);
        if (row && !found.has(row.runId)) found.set(row.runId, row);
      }
    }
    return [...found.values()].sort((a, b) => startOf(b) - startOf(a));
  }, [newest.data, failed.data, running.data]);
  const last = newest.data?.data.runs?.at(-1);
  return {
    rows,
    isService: true,
    isCut: isLong && (parseTime(last?.created_ts) ?? 0) > now - dayMs,
    query: newest,
  };
}

/** The same from what this browser knows. */
export function useKnownDay(): Day {
  const { rows, query } = useKnownRows();
  return { rows, isService: false, isCut: false, query };
}
