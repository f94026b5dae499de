import { isMoving } from "../../../api/run-state.ts";
import type { RunRow } from "../../../components/run/run-row.ts";
import { useNow } from "../../../components/time/clock.tsx";

/** The present moment in ms, ticking only while one of the runs moves. */
export function useRunsNow(runs: readonly RunRow[]): number {
  return useNow(runs.some((run) => isMoving(run.state)));
}

const minute = 60_000;

/** The present minute in ms: what filters by time need, without a render in each second. */
export function useMinute(): number {
  return useNow(true, minute);
}
