import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Runner as GraphileRunner, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { Logger } from "pino";
import { sentenceOf } from "../store/store-error.ts";
import { workerLogger } from "../store/worker-logger.ts";
import { WorkerPool } from "./worker-pool.ts";

/** The backstop for jobs that nobody was told of: all places together look five times a second, each once at most. */
const pollMs = (concurrency: number) => Math.max(1_000, concurrency * 200);
const maxTimerMs = 60 * 60 * 1_000;

/** Graphile Worker, kept running whatever happens to it. */
export interface Runner {
  /** Looks for jobs after so many milliseconds. Nobody is told when the time of a job comes; others find it by polling. */
  remind(ms: number): void;
  /** Takes no more jobs. @returns when those that it has are done */
  stop(): Promise<void>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/**
 * Starts it on connections of its own, and again a moment after whatever ends it.
 * @param concurrency jobs at a time
 * @throws what the database says where it gives no connection to begin with
 */
export async function startRunner(
  connection: pg.ClientConfig,
  concurrency: number,
  taskList: TaskList,
  log: Logger,
): Promise<Runner> {
  const pool = new WorkerPool(connection);
  try {
    await pool.first();
  } catch (error) {
    await pool.close();
    throw error;
  }
  let stopping = false;
  let nudge = () => {};

  const start = () => {
    const events: WorkerEvents = new EventEmitter();
    let failed: unknown = null;
    let giveUp = () => {};
    events.on("pool:create", ({ workerPool }) => {
      nudge = () => workerPool.nudge(1);
      giveUp = () => {
        giveUp = () => {};
        // Once the place that met the error waits for its next look.
        setImmediate(() => void Promise.resolve(workerPool.gracefulShutdown()).catch(() => undefined));
      };
    });
    // It reads the ids of its tasks once and keeps a failure of that for good: the very same error comes with each look.
    events.on("worker:getJob:error", ({ error }) => {
      if (error === failed) giveUp();
      failed = error;
    });
    return run({
      pgPool: pool,
      concurrency,
      taskList,
      events,
      noHandleSignals: true,
      pollInterval: pollMs(concurrency),
      parsedCronItems: [],
      logger: workerLogger(log),
    });
  };

  /** Should it give up, for whatever reason, another takes its place. */
  async function keep(): Promise<void> {
    while (!stopping) {
      await current.promise.catch((error: unknown) =>
        log.warn({ reason: sentenceOf(error) }, "the worker stopped"),
      );
      if (stopping) return;
      await delay(500);
      current = (await start().catch(() => null)) ?? current;
    }
  }

  let current: GraphileRunner = await start();
  void keep();
  return {
    remind(ms) {
      if (ms < maxTimerMs) setTimeout(() => stopping || nudge(), ms + 2).unref();
    },
    async stop() {
      stopping = true;
      await current.stop().catch(() => undefined);
    },
    close: () => pool.close(),
  };
}
