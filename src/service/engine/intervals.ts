import type { Logger } from "pino";
import { sentenceOf } from "../store/store-error.ts";

/** What a worker does again and again until it stops. */
export interface Intervals {
  /**
   * @param what it is, for the log
   * @returns does it now; while it is being done nothing is begun
   */
  every(ms: number, what: string, work: () => Promise<void>): () => void;
  stop(): void;
}

/** What does not get through is in the log, and is done again next time. */
export function createIntervals(log: Logger): Intervals {
  const timers: NodeJS.Timeout[] = [];
  return {
    every(ms, what, work) {
      let busy = false;
      const tick = async () => {
        if (busy) return;
        busy = true;
        await work().catch((error: unknown) =>
          log.warn({ reason: sentenceOf(error) }, `${what} did not get through`),
        );
        busy = false;
      };
      timers.push(setInterval(tick, ms));
      return () => void tick();
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
