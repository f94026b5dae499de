import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { RunLog } from "../../workers/run-log.ts";
import { type LogFilter, LogView } from "./log-view.ts";

/** The rows of a log; renders again when lines came, went, or were understood. */
export function useLogView(log: RunLog, filter: LogFilter): LogView {
  useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => `${log.version} ${log.replacements} ${log.facts.version}`, [log]),
  );
  const view = useMemo(() => new LogView(log, filter), [log, filter]);
  view.update();
  return view;
}
