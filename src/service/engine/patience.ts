import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "../store/store-error.ts";

/** Does again what fails because the database is away, until it is back or the worker leaves. */
export interface Patience {
  /**
   * @param work is told whether an earlier try may have got through although its answer was lost
   * @returns what it returned; undefined when the worker has left before it got through
   */
  until<T>(work: (again: boolean) => Promise<T>): Promise<T | undefined>;
  /** Whether the worker has left: each thing is tried once at most. */
  readonly left: boolean;
  leave(): void;
}

const pauseMs = 200;

export function createPatience(): Patience {
  const leaving = new AbortController();
  // One for each thing that waits at the moment.
  setMaxListeners(0, leaving.signal);
  return {
    async until(work) {
      for (let again = false; ; again = true) {
        try {
          return await work(again);
        } catch (error) {
          if (!isDatabaseAway(error)) throw error;
          if (leaving.signal.aborted) return undefined;
          await delay(pauseMs, undefined, { signal: leaving.signal }).catch(() => undefined);
        }
      }
    },
    get left() {
      return leaving.signal.aborted;
    },
    leave: () => leaving.abort(),
  };
}
