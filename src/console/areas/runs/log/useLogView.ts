import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { RunLog } from "../worker/run-log.ts";
import { type LogFilter, LogView } from "./log-view.ts";

/** The rows of a log; renders again when lines came, went, or were understood, once they are to be shown. */
export function useLogView(log: RunLog, filter: LogFilter, isShown: boolean): LogView {
  useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => isShown && `${log.version} ${log.replacements} ${log.facts.version}`, [log, isShown]),
  );
  const view = useMemo(() => new LogView(log, filter), [log, filter]);
  view.update();
  return view;
}
