import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi, useCan } from "../../lib/api.tsx";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { useStore } from "../../lib/useStore.ts";
import { rowOfHistory } from "./known-row.ts";
import { runQueries } from "./queries.ts";
import { type RunRow, rowOfService, runLength } from "./run-row.ts";

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
  const known = useStore(api.history.runs);
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

/** How long a flow usually takes, in ms: the middle half of its runs that were done. */
export interface Usual {
  readonly from: number;
  readonly to: number;
}

/** Fewer runs than this say nothing about what is usual. */
const fewest = 3;
const looked = 20;

/** The usual time by the newest runs that were done; null where there are too few. */
export function usualTime(runs: readonly RunRow[]): Usual | null {
  const lengths = runs
    .filter((run) => run.state === "DONE")
    .slice(0, looked)
    .flatMap((run) => runLength(run, 0) ?? [])
    .sort((a, b) => a - b);
  if (lengths.length < fewest) return null;
  const at = (share: number) => lengths[Math.round((lengths.length - 1) * share)] ?? 0;
  return { from: at(0.25), to: at(0.75) };
}

/** `usually 3 m 40 s to 4 m 30 s`, or one length where both read alike. */
export function usualWords({ from, to }: Usual): string {
  const word = (ms: number) => formatDuration(ms, { fine: ms < 10_000 });
  return word(from) === word(to) ? `usually ${word(to)}` : `usually ${word(from)} to ${word(to)}`;
}
