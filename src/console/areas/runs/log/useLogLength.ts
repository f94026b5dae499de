import { useCallback, useSyncExternalStore } from "react";
import type { RunLog } from "../worker/run-log.ts";

/** How many lines the log has; renders again when lines came, went or were replaced. */
export function useLogLength(log: RunLog): number {
  useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => log.version, [log]),
  );
  return log.length;
}
