import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import type { RunRow } from "../run-row.ts";

/** The present moment in ms, ticking only while one of the runs moves. */
export function useRunsNow(runs: readonly RunRow[]): number {
  return useNow(runs.some((run) => isMoving(run.state)));
}

const minute = 60_000;

/** The present minute in ms: what filters by time need, without a render in each second. */
export function useMinute(): number {
  return useNow(true, minute);
}
