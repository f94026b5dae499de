import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseUnavailable } from "../store/store-error.ts";

/** Retries what fails because the database is unavailable, until it is back or the worker stops. */
export interface DatabaseRetry {
  /**
   * @param work is told whether an earlier try may have got through although its answer was lost
   * @returns what it returned; undefined when the worker stopped before it got through
   */
  run<T>(work: (again: boolean) => Promise<T>): Promise<T | undefined>;
  /** Whether the worker stops: each thing is tried once at most. */
  readonly stopped: boolean;
  stop(): void;
}

const backoffMs = 200;

/** For one worker: `stop` ends the retries of all that it does. */
export function createDatabaseRetry(): DatabaseRetry {
  const stopping = new AbortController();
  // One for each thing that waits at the moment.
  setMaxListeners(0, stopping.signal);
  return {
    async run(work) {
      for (let again = false; ; again = true) {
        try {
          return await work(again);
        } catch (error) {
          if (!isDatabaseUnavailable(error)) throw error;
          if (stopping.signal.aborted) return undefined;
          await delay(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        }
      }
    },
    get stopped() {
      return stopping.signal.aborted;
    },
    stop: () => stopping.abort(),
  };
}
