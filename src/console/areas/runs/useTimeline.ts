import { useCallback, useSyncExternalStore } from "react";
import type { ReadTimeline } from "./log/timeline.ts";
import type { RunLog } from "./worker/run-log.ts";

/** The nodes of a log, as far as the worker has read its lines; renders again when it has read on. */
export function useTimeline(log: RunLog): ReadTimeline {
  return useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => log.facts.timeline, [log]),
  );
}
