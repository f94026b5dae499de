import type { RunLog } from "../../workers/run-log.ts";

/** The log of one run, kept outside of React since it may have a million lines, and the search over all of it. */
export interface LogSource {
  readonly log: RunLog;
  /** Tells of 0-based lines that contain `text`, without regard to case, in order, as they are found. */
  search(text: string, onHits: (lines: Uint32Array) => void, signal: AbortSignal): Promise<void>;
}
