import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createRecurring } from "../recurring.ts";
import { sentenceOf } from "../store/store-error.ts";
import type { WorkerContext } from "./advance.ts";
import { createCapacity, type Reservation, type Room } from "./capacity.ts";
import { createClaims } from "./claims.ts";
import { createDatabaseRetry } from "./database-retry.ts";
import { createDiskFullBackoff } from "./disk-full-backoff.ts";
import { createDispatcher } from "./dispatch.ts";
import { createEnders } from "./end-batching.ts";
import type { EngineOptions } from "./engine.ts";
import { Stopping } from "./engine-error.ts";
import { putOffLimit } from "./execution-limits.ts";
import { wakeTask } from "./jobs.ts";
import type { NewExecution } from "./kind.ts";
import { createLaunch } from "./launch.ts";
import { createRecorder } from "./record-steps.ts";
import { type Runner, startRunner } from "./runner.ts";
import { personKey, type Tenant } from "./shares.ts";
import { type Listener, listen, tellHold } from "./signals.ts";
import { createSlotRuns } from "./slot-runs.ts";
import { createSlots } from "./slots.ts";
import { createForecast } from "./speculation.ts";
import type { RowsOfStart } from "./start.ts";
import { sweep } from "./sweep.ts";
import { endWaitingStep } from "./wake.ts";
import { createYielding } from "./yielding.ts";

const heartbeatMs = 3_000;
const sweepIntervalMs = 2_000;
/** The backstop for what nobody was told of. */
const lookIntervalMs = 1_000;
/** How long what was aborted may take to let go. */
const abortGraceMs = 5_000;

/** One process's share of the work. */
export interface Worker {
  work(): Promise<void>;
  /** Starts an execution, with others of the same moment. It begins here where there is room. */
  launch(execution: NewExecution, ...rows: readonly RowsOfStart[]): Promise<void>;
  /** Room for what this process is about to start; null where the queue is to hand it out. */
  reserve(tenant: Tenant): Reservation<string> | null;
  /** Aborts these executions where they are in this worker's hands: they are over. */
  drop(ids: readonly string[]): void;
  stop(graceMs: number): Promise<void>;
}

/** The worker of one process, which does nothing but `launch` until `work` is called. */
export function createWorker(options: EngineOptions): Worker {
  const { store, clock, log, concurrency, kinds, owner, quickMs, meters, tracing } = options;
  const { db } = store;
  const slots = createSlots(store, owner);
  const databaseRetry = createDatabaseRetry();
  const claims = createClaims({ db, clock, owner, kinds, slots, databaseRetry, meters });
  let runner: Runner | null = null;
  let listener: Listener | null = null;
  function tenantKeyOf(id: string): string {
    const tenant = slots.tenantOf(id);
    return tenant === null ? "" : personKey(tenant);
  }
  const giveWay = (id: string) => yielding.giveWay(slots.tenantOf(id));
  const endAlone = createEnders(db, kinds, {
    tenantOf: tenantKeyOf,
    onEnded: (kind, { type }) => meters?.ended(kind, type),
    giveWay,
  });
  const record = createRecorder(db, {
    tenantOf: tenantKeyOf,
    onRecorded: (seconds) => meters?.recorded(seconds),
  });
  const remind = (ms: number) => runner?.remind(ms);
  const forecast = createForecast(quickMs);
  const diskFull = createDiskFullBackoff();
  const context: WorkerContext = {
    ...{ db, kinds, clock, log, meters, tracing, endAlone, record, giveWay, remind, forecast, diskFull },
  };
  const yielding = createYielding({
    process: owner,
    mustYield: (tenant, to) => capacity.isLoudBeside(tenant, to),
    tell: (hold, tenant) => void store.query(tellHold(hold, tenant, owner)).catch(() => undefined),
  });
  /** Of executions to be claimed, and of those that are. */
  const capacity = createCapacity(concurrency, {
    ...createSlotRuns({ context, slots, claims, databaseRetry }),
    onRoom: () => dispatcher.onRoom(),
    onQuiet: yielding.onQuiet,
  });
  const dispatcher = createDispatcher({
    room: () => (runner === null ? null : capacity.room()),
    claim: claimAndRunReady,
    onError: (error) => log.error({ err: error }, "a look for what is ready went wrong"),
  });
  const reserve = (tenant: Tenant) => (runner === null ? null : capacity.reserve(tenant));
  const launch = createLaunch({ context, slots, claimant: claims.claimant, reserve });

  async function claimAndRunReady(room: Room, waitFor: string | null) {
    const found = await claims.ready(room, waitFor);
    capacity.setCrowded(found?.isCrowded ?? false);
    if (found === undefined) return undefined;
    for (const row of found.rows)
      capacity.run(found.take(row), { limitKey: row.limit_key, person: row.user_id ?? "" });
    return found;
  }

  const repeated = (everyMs: number, what: string, work: () => Promise<void>) =>
    createRecurring(work, everyMs, (error) =>
      log.warn({ reason: sentenceOf(error) }, `${what} did not get through`),
    );
  const heartbeat = repeated(heartbeatMs, "a heartbeat", () => slots.heartbeat());
  const recurring = [
    heartbeat,
    repeated(lookIntervalMs, "a look for what is ready", async () => dispatcher.ready()),
    repeated(sweepIntervalMs, "a sweep", async () => {
      const taken = await sweep(db);
      meters?.takenOver(taken);
    }),
  ];

  async function wake(id: string, key: string): Promise<void> {
    const putOff = await databaseRetry.run(() =>
      db.transaction().execute(async (tx) => {
        const ms = await putOffLimit(tx, id, key);
        if (ms === null) await endWaitingStep(tx, id, key, { state: "done", output: null });
        return ms;
      }),
    );
    if (putOff != null) remind(putOff);
  }

  return {
    async work() {
      if (runner !== null || databaseRetry.stopped) return;
      runner = await startRunner(
        store.connection,
        concurrency,
        { [wakeTask]: job(log, (field) => wake(field("id"), field("key"))) },
        log,
      );
      listener = listen(store.connection, {
        onSignal: slots.onSignal,
        onReady: dispatcher.ready,
        onHold: yielding.onHold,
        // What was said while nobody listened.
        onConnect() {
          heartbeat.now();
          dispatcher.ready();
        },
      });
      for (const one of recurring) one.start();
    },
    launch,
    reserve,
    drop(ids) {
      for (const id of ids) slots.onSignal("over", id);
    },
    async stop(graceMs) {
      if (databaseRetry.stopped) return;
      const drained = Promise.all([runner?.stop(), dispatcher.stop(), capacity.close()]);
      await Promise.race([drained, delay(graceMs, undefined, { ref: false })]);
      databaseRetry.stop();
      slots.abortAll(new Stopping());
      await Promise.race([drained, delay(abortGraceMs, undefined, { ref: false })]);
      // What hangs on the database is not waited for.
      for (const one of recurring) void one.stop();
      await listener?.close();
      await runner?.close();
    },
  };
}

/** A job never fails: what went wrong is in the log, and the sweep hands out again what is not over. */
const job =
  (log: Logger, work: (field: (name: string) => string) => Promise<void>) => async (payload: unknown) => {
    await work((name) => textOf(payload, name)).catch((error: unknown) =>
      log.error({ payload, err: error }, "a job went wrong"),
    );
  };

function textOf(payload: unknown, field: string): string {
  if (typeof payload === "object" && payload !== null && field in payload) {
    return String(Reflect.get(payload, field));
  }
  throw new Error(`a job without ${field}`);
}
