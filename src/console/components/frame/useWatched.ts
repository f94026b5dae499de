import { useMemo, useSyncExternalStore } from "react";
import { isMoving } from "../../api/run-state.ts";
import type { KnownRun } from "../../history/known-run.ts";
import { useApi } from "../api-context.tsx";

/** At most so many are followed, each with a poll of its own. */
const most = 6;
/** A run that ended stays for ten minutes, so that its end is noticed. */
const stays = 600_000;

/** Runs that this person started here and that still move, or ended a moment ago. */
export function useWatched(): readonly KnownRun[] {
  const { history, clock } = useApi();
  const known = useSyncExternalStore(history.runs.subscribe, history.runs.get);
  return useMemo(() => {
    const now = clock.now();
    const isWatched = (run: KnownRun) => {
      if (run.runId === null || run.provenance !== "started-here") return false;
      if (run.last === null || isMoving(run.last.state)) return now - run.knownAt < 24 * 3_600_000;
      return now - run.last.seenAt < stays;
    };
    return known.filter(isWatched).slice(0, most);
  }, [known, clock]);
}
