import { useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../../lib/api.tsx";
import type { RunLog } from "../worker/run-log.ts";
import { createRunReader, type RunReader } from "../worker/run-reader-client.ts";
import { type LogFilter, LogView } from "./log-view.ts";

/** The reader of this connection, with the log of each run as far as it was read. For parts that show a log. */
export function useRunReader(): RunReader {
  return useApi().keep(createRunReader);
}

/** What `read` makes of a log; renders again when that is something else. */
export function useLogValue<T>(log: RunLog, read: (log: RunLog) => T): T {
  return useSyncExternalStore(log.subscribe, () => read(log));
}

/** The rows of a log; renders again when lines came, went, or were understood, once they are to be shown. */
export function useLogView(log: RunLog, filter: LogFilter, isShown: boolean): LogView {
  useLogValue(
    log,
    ({ version, replacements, facts }) => isShown && `${version} ${replacements} ${facts.version}`,
  );
  const view = useMemo(() => new LogView(log, filter), [log, filter]);
  view.update();
  return view;
}

/**
 * The first line of an error in the log of a run that failed, 1-based, as far as the worker has read it; undefined while
 * none is known, and for every other run: there an error in the log has stopped nothing.
 */
export function useFirstError(log: RunLog, state: string | null): number | undefined {
  const line = useLogValue(log, ({ facts }) => facts.firstError);
  return state === "FAILED" && line !== null ? line + 1 : undefined;
}
