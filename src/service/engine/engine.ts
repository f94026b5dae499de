import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../context.ts";
import type { Database } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { engineLine } from "./advance.ts";
import { wakeHeld } from "./claim.ts";
import { type Kinds, kill } from "./ending.ts";
import type { NewExecution } from "./kind.ts";
import { start } from "./start.ts";
import { createWorker } from "./worker.ts";

export interface EngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many executions this process runs at the same time; those that wait do not count. */
  readonly concurrency: number;
  /** Read when needed, so it may be filled after the engine is made. */
  readonly kinds: Kinds;
  /** Names this worker for as long as it lives; never used twice. */
  readonly owner: string;
}

/** Durable execution: what is started ends, whatever happens to processes, and nothing recorded is done again. */
export interface Engine {
  /** Starts an execution, in the caller's transaction where `db` is one. An id that is there already is left alone. */
  start(db: Kysely<Database>, execution: NewExecution): Promise<void>;
  /**
   * Ends an execution and everything below it as `terminated`, and aborts what is in flight, in whatever process.
   * @param reason a sentence for its kind, of whoever kills it
   * @returns `killed: false` when it was over already (or never was) and nothing has changed; else the ids that it ended
   */
  kill(id: string, reason?: string): Promise<{ killed: boolean; ids: readonly string[] }>;
  /** Begins to claim executions. Without it this process only starts and kills. */
  work(): Promise<void>;
  /**
   * Claims nothing more; what is still running after `graceMs` is given back, to go on elsewhere from its last step.
   * Takes at most some seconds longer.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { store, clock, kinds, log } = options;
  const worker = createWorker(options);
  return {
    start,
    async kill(id, reason) {
      const { killed, ids, limitKeys } = await kill(
        { db: store.db, kinds, log },
        id,
        engineLine(clock, "killed"),
        reason,
      );
      // Other processes are told by the database.
      worker.drop(ids);
      for (const key of limitKeys) await wakeHeld(store.db, key);
      return { killed, ids };
    },
    work: () => worker.work(),
    stop: ({ graceMs }) => worker.stop(graceMs),
  };
}
