import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../context.ts";
import type { Meters } from "../meters.ts";
import type { Database } from "../store/schema.ts";
import type { Store, Tx } from "../store/store.ts";
import { engineLine } from "./advance.ts";
import type { Reservation } from "./capacity.ts";
import { tellOfPlaces } from "./claim.ts";
import { type Kinds, kill } from "./end-and-kill.ts";
import type { NewExecution } from "./kind.ts";
import { tenantOf } from "./shares.ts";
import { type RowsOfStart, start } from "./start.ts";
import type { EngineTracing } from "./tracing.ts";
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
  /** How long an execution may take that is begun before its start is written, in milliseconds; default 2. */
  readonly quickMs?: number | undefined;
  readonly meters?: Meters | undefined;
  /** Where somebody traces. */
  readonly tracing?: EngineTracing | undefined;
}

/** Durable execution: what is started ends, whatever happens to processes, and nothing recorded is done again. */
export interface Engine {
  /** Starts an execution, in the caller's transaction where `db` is one. An id that is there already is left alone. */
  start(db: Kysely<Database>, execution: NewExecution): Promise<void>;
  /**
   * Starts an execution in a transaction that starts of the same moment share; where this process has room it takes it up
   * itself as soon as that is committed. An id that is there already is left alone.
   * @param rows written with it
   */
  launch(execution: NewExecution, ...rows: readonly RowsOfStart[]): Promise<void>;
  /**
   * Runs a transaction that starts something by the function that it is given. Where this process has room it
   * takes up itself what was started as soon as that is committed; else the queue hands it out, as with `start`.
   */
  starting<T>(work: (tx: Tx, start: (execution: NewExecution) => Promise<void>) => Promise<T>): Promise<T>;
  /**
   * Ends an execution and everything below it as `terminated`, and aborts what is in flight, in whatever process.
   * @param reason a sentence for its kind, of whoever kills it
   * @param within done in the same transaction, where anything is ended
   * @returns `killed: false` when it was over already (or never was) and nothing has changed; else the ids that it ended
   */
  kill(
    id: string,
    reason?: string,
    within?: (tx: Tx) => Promise<void>,
  ): Promise<{ killed: boolean; ids: readonly string[] }>;
  /** The same, whose transactions of `starting` and `kill` get their connections there. */
  through(db: Kysely<Database>): Engine;
  /** Begins to claim executions. Without it this process only starts and kills. */
  work(): Promise<void>;
  /**
   * Claims nothing more; what is still running after `graceMs` is given back, to go on elsewhere from its last step.
   * Takes at most some seconds longer.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/** The engine of one process. It begins to claim at `work`. */
export function createEngine(options: EngineOptions): Engine {
  const { store, clock, kinds, log, meters, tracing } = options;
  const worker = createWorker(options);
  const tracesOf = (execution: NewExecution) =>
    tracing === undefined ? [] : [tracing.begin(execution).rows];
  const starting =
    (db: Kysely<Database>): Engine["starting"] =>
    async (work) => {
      const reserved: { room: Reservation<string>; id: string }[] = [];
      let answer: Awaited<ReturnType<typeof work>>;
      try {
        answer = await db.transaction().execute((tx) =>
          work(tx, async (execution) => {
            const room = worker.reserve(tenantOf(execution));
            if (room !== null) reserved.push({ room, id: execution.id });
            await start(tx, execution, room === null ? "queue" : "self", tracesOf(execution));
          }),
        );
      } catch (error) {
        // Where the commit got through although its answer was lost, whoever looks next finds what was started.
        for (const { room } of reserved) room.free();
        throw error;
      }
      for (const { room, id } of reserved) room.take(id);
      return answer;
    };
  const killing =
    (db: Kysely<Database>): Engine["kill"] =>
    async (id, reason, within) => {
      const parts = { db, kinds, log, meters };
      const { killed, ids, limitKeys } = await kill(parts, id, engineLine(clock, "killed"), reason, within);
      // Other processes are told by the database.
      worker.drop(ids);
      if (limitKeys.length > 0) await tellOfPlaces(db, limitKeys);
      return { killed, ids };
    };
  const engine: Engine = {
    start: (db, execution) => start(db, execution, "queue", tracesOf(execution)),
    launch: (execution, ...rows) => worker.launch(execution, ...rows),
    starting: starting(store.db),
    kill: killing(store.db),
    through: (db) => ({ ...engine, starting: starting(db), kill: killing(db) }),
    work: () => worker.work(),
    stop: ({ graceMs }) => worker.stop(graceMs),
  };
  return engine;
}
