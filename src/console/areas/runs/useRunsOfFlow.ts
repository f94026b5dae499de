import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { parseTime } from "../../lib/time/format.ts";
import { runQueries } from "./run-queries.ts";
import { type RunRow, rowOfHistory, rowOfService } from "./run-row.ts";

const startOf = (run: RunRow): number => parseTime(run.createdTs) ?? 0;

/** The runs of a flow, as far as they are known. */
export interface RunsOfFlow {
  /** Newest first. */
  readonly runs: readonly RunRow[];
  readonly isReading: boolean;
  /** The service has told its newest ones, those with `source: "service"`: between them none is missing. */
  readonly isTold: boolean;
}

/**
 * The newest runs of a flow: those that the service lists, else those that it maps to the flow, with what this browser
 * knows besides. Read once, for what was usual and for picking an older run, unless they are to be watched.
 */
export function useRunsOfFlow(flowId: string | null, { isWatched = false } = {}): RunsOfFlow {
  const api = useApi();
  const canList = useCan("runs");
  const canMap = useCan("run_map");
  const isListed = flowId !== null && canList;
  const isMapped = flowId !== null && !canList && canMap;
  const listed = useQuery({
    ...runQueries.list(api, { saved_item_id: flowId ?? "" }),
    enabled: isListed,
    ...(!isWatched && { refetchInterval: false }),
  });
  const mapped = useQuery({
    ...runQueries.ofFlow(api, flowId ?? ""),
    enabled: isMapped,
    ...(!isWatched && { refetchInterval: false }),
  });
  const known = useSyncExternalStore(api.history.runs.subscribe, api.history.runs.get);
  const runs = useMemo(() => {
    if (flowId === null) return [];
    const found = new Map<string, RunRow>();
    const add = (row: RunRow | null) => row && !found.has(row.runId) && found.set(row.runId, row);
    for (const run of listed.data?.data.runs ?? []) add(rowOfService(run));
    for (const run of mapped.data?.data[flowId] ?? []) {
      add(rowOfService({ ...run, saved_item_id: flowId }));
    }
    for (const run of known) if (run.savedItemId === flowId) add(rowOfHistory(run, api.who.userId));
    return [...found.values()].sort((a, b) => startOf(b) - startOf(a));
  }, [flowId, listed.data, mapped.data, known, api]);
  return {
    runs,
    isReading: (isListed && listed.isPending) || (isMapped && mapped.isPending),
    isTold: (isListed && listed.data !== undefined) || (isMapped && mapped.data?.data[flowId] !== undefined),
  };
}

/** The runs that were done before this one began, in the order in which they come. */
export function goodBefore(
  runs: readonly RunRow[],
  before: Pick<RunRow, "runId" | "createdTs">,
): readonly RunRow[] {
  const limit = parseTime(before.createdTs) ?? Number.POSITIVE_INFINITY;
  return runs.filter((run) => run.state === "DONE" && run.runId !== before.runId && startOf(run) < limit);
}
