import type { LogQuery } from "../worker/log-search.ts";
import type { RunLog } from "../worker/run-log.ts";

/** The log of one run, kept outside of React since it may have a million lines, and the search over all of it. */
export interface LogSource {
  readonly log: RunLog;
  /**
   * Tells of 0-based lines that show what is looked for, in order, as they are found.
   * @throws SyntaxError, SearchTooSlow
   */
  search(query: LogQuery, onHits: (lines: Uint32Array) => void, signal: AbortSignal): Promise<void>;
}
