import type { Logger } from "pino";
import { createRecurring } from "../recurring.ts";
import { type Pause, readPause } from "./pause.ts";
import type { Store } from "./store.ts";

/** Milliseconds between two looks whether what is paused may go on. */
const lookMs = 1_000;

/** Holds back what a process does while its database is paused. */
export interface PauseGate {
  /** What it waits for; null where it is open. */
  paused(): Pause | null;
  /** Begins at once where it is open, else as soon as it is; what fails then is tried again. */
  whenOpen(begin: () => Promise<void>): Promise<void>;
  /** Looks no more. */
  stop(): Promise<void>;
}

/** Reads whether the database is paused; one that is not stays so. */
export async function openPauseGate(
  { db }: Pick<Store, "db">,
  log: Pick<Logger, "info" | "warn">,
): Promise<PauseGate> {
  let pause = await readPause(db);
  let begin = async () => {};
  const looking = createRecurring(
    async () => {
      const now = await readPause(db);
      if (now !== null || pause === null) return;
      const before = pause;
      // What begins must not be refused for it.
      pause = null;
      log.info("let go on: work begins");
      try {
        await begin();
      } catch (error) {
        // Else it would say that it works, and nobody would try again.
        pause = before;
        throw error;
      }
      void looking.stop();
    },
    lookMs,
    (err) => log.warn({ err }, "whether work may go on could not be looked at"),
  );
  return {
    paused: () => pause,
    async whenOpen(work) {
      begin = work;
      if (pause === null) return await begin();
      log.warn({ since: pause.since }, `paused: ${pause.reason}. Let it go on with: wheelhouse resume`);
      looking.start();
    },
    stop: () => looking.stop(),
  };
}
