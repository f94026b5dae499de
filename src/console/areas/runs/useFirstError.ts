import { useCallback, useSyncExternalStore } from "react";
import type { RunLog } from "./worker/run-log.ts";

/**
 * The first line of an error in the log of a run that failed, 1-based, as far as the worker has read it; undefined while
 * none is known, and for every other run: there an error in the log has stopped nothing.
 */
export function useFirstError(log: RunLog, state: string | null): number | undefined {
  const line = useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => log.facts.firstError, [log]),
  );
  return state === "FAILED" && line !== null ? line + 1 : undefined;
}
