import { useCallback, useSyncExternalStore } from "react";
import type { LogSource } from "./source.ts";

/** How many lines the log has; renders again when lines came, went or were replaced. */
export function useLogLength(source: LogSource): number {
  useSyncExternalStore(
    useCallback((listener: () => void) => source.subscribe(listener), [source]),
    useCallback(() => source.version, [source]),
  );
  return source.length;
}
