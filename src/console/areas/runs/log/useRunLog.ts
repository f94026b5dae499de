import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import type { RunLog } from "../worker/run-log.ts";
import { createRunReader, type RunReader } from "../worker/run-reader-client.ts";
import { type LogFilter, LogView } from "./log-view.ts";
import type { ReadTimeline } from "./timeline.ts";

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

/** The reader of this connection, with the log of each run as far as it was read. For parts that show a log. */
export function useRunReader(): RunReader {
  return useApi().keep(createRunReader);
}

/** How many lines the log has; renders again when lines came, went or were replaced. */
export function useLogLength(log: RunLog): number {
  useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => log.version, [log]),
  );
  return log.length;
}

/** The nodes of a log, as far as the worker has read its lines; renders again when it has read on. */
export function useTimeline(log: RunLog): ReadTimeline {
  return useSyncExternalStore(
    useCallback((listener: () => void) => log.subscribe(listener), [log]),
    useCallback(() => log.facts.timeline, [log]),
  );
}

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
