import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createByteRoom } from "../byte-room.ts";
import { batched } from "../store/batch.ts";
import { sentenceOf } from "../store/store-error.ts";
import { advance, type WorkerContext } from "./advance.ts";
import { createCapacity, type Reservation, type Room } from "./capacity.ts";
import { type Requeue, requeue, tellOfPlaces } from "./claim.ts";
import { createClaims } from "./claims.ts";
import { createDatabaseRetry } from "./database-retry.ts";
import { createDispatcher } from "./dispatch.ts";
import { createEnder } from "./end-together.ts";
import type { Ended, ExecutionEnd } from "./ends.ts";
import type { EngineOptions } from "./engine.ts";
import { Stopping } from "./engine-error.ts";
import { createIntervals } from "./intervals.ts";
import { wakeTask } from "./jobs.ts";
import type { NewExecution } from "./kind.ts";
import { readLargeInput, roomForInputs } from "./large-input.ts";
import { createLaunch } from "./launch.ts";
import { createNoRoom } from "./no-room.ts";
import { putOffLimit } from "./own-time.ts";
import { createRecorder } from "./record-steps.ts";
import { type Runner, startRunner } from "./runner.ts";
import { personKey, type Tenant } from "./shares.ts";
import { type Listener, listen, tellHold } from "./signals.ts";
import { createSlots, type Slot } from "./slots.ts";
import { createForecast } from "./speculation.ts";
import { handOutStarted, type RowsOfStart } from "./start.ts";
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
  const inputs = createByteRoom(roomForInputs);
  const databaseRetry = createDatabaseRetry();
  const claims = createClaims({ db, clock, owner, kinds, slots, databaseRetry, meters });
  const intervals = createIntervals(log);
  let runner: Runner | null = null;
  let listener: Listener | null = null;
  function tenantKeyOf(id: string): string {
    const tenant = slots.tenantOf(id);
    return tenant === null ? "" : personKey(tenant);
  }
  /** By kind: what belongs to the end of one kind holds up no other. */
  const enders = new Map<string, (end: ExecutionEnd) => Promise<boolean>>();
  async function endAlone(kind: string, mine: ExecutionEnd) {
    await giveWay(mine.claim.id);
    const onEnded = ({ type }: Ended) => meters?.ended(kind, type);
    const ender = enders.get(kind) ?? createEnder(db, kinds[kind], { tenantOf: tenantKeyOf, onEnded });
    enders.set(kind, ender);
    return ender(mine);
  }
  const record = createRecorder(db, {
    tenantOf: tenantKeyOf,
    onRecorded: (seconds) => meters?.recorded(seconds),
  });
  const giveWay = (id: string) => yielding.giveWay(slots.tenantOf(id));
  const remind = (ms: number) => runner?.remind(ms);
  const forecast = createForecast(quickMs);
  const noRoom = createNoRoom();
  const context: WorkerContext = {
    ...{ db, kinds, clock, log, meters, tracing, endAlone, record, giveWay, remind, forecast, noRoom },
  };
  /** What was started here and is not taken up goes to the log: others find it. */
  const logged =
    (work: (what: string | Slot, leave: () => void) => Promise<void>) =>
    (what: string | Slot, leave = () => {}) =>
      work(what, leave).catch((error: unknown) =>
        log.error(
          { execution: typeof what === "string" ? what : what.claim.id, err: error },
          "an execution was left",
        ),
      );
  const yielding = createYielding({
    process: owner,
    mustYield: (tenant, to) => capacity.isLoudBeside(tenant, to),
    tell: (hold, tenant) => void store.query(tellHold(hold, tenant, owner)).catch(() => undefined),
  });
  /** Of executions to be claimed, and of those that are. */
  const capacity = createCapacity(concurrency, {
    execute: logged(execute),
    handOut: logged(handOut),
    onRoom: () => dispatcher.onRoom(),
    onQuiet: yielding.onQuiet,
  });
  const dispatcher = createDispatcher({
    room: () => (runner === null ? null : capacity.room()),
    claim: claimAndRunReady,
    onError: (error) => log.error({ err: error }, "a look for what is ready went wrong"),
  });
  const tellOfPlacesOf = batched(async (limitKeys: readonly string[]) => {
    await tellOfPlaces(db, limitKeys);
    return new Map<string, never>();
  });
  const reserve = (tenant: Tenant) => (runner === null ? null : capacity.reserve(tenant));
  const launch = createLaunch({ context, slots, claimant: claims.claimant, reserve });

  /** Of what was started just now and is not taken up here nobody else has been told. */
  async function handOut(what: string | Slot): Promise<void> {
    if (typeof what === "string") return handOutStarted(db, what);
    await requeueSlot(what, { suspect: false, pauseSeconds: 0 });
    slots.release(what);
  }

  async function execute(what: string | Slot, leave: () => void): Promise<void> {
    const slot = typeof what === "string" ? await claims.one(what) : what;
    if (slot === undefined) return;
    const limitKey = await runSlot(slot, leave);
    await databaseRetry.run(() => tellOfPlacesOf(limitKey));
  }

  async function claimAndRunReady(room: Room, waitFor: string | null) {
    const found = await claims.ready(room, waitFor);
    capacity.setCrowded(found?.isCrowded ?? false);
    if (found === undefined) return undefined;
    for (const row of found.rows)
      capacity.run(found.take(row), { limitKey: row.limit_key, person: row.user_id ?? "" });
    return found;
  }

  /** @returns whose limit it is */
  async function runSlot(slot: Slot, leave: () => void): Promise<string> {
    if (databaseRetry.stopped) slot.abort.abort(new Stopping());
    let leaveRoom = () => {};
    try {
      if (slot.row.left_bytes != null) {
        const leave = await databaseRetry.run(() => readLargeInput(db, inputs, slot));
        if (leave === undefined) slot.abort.abort(new Stopping());
        else leaveRoom = leave;
      }
      await giveWay(slot.claim.id);
      const result = await advance(context, slot, leave);
      if (result !== "nothing") await requeueSlot(slot, result);
    } finally {
      slots.release(slot);
      leaveRoom();
    }
    return slot.row.limit_key;
  }

  /** Queues an execution again; while the database is away, in the background, so that the place is free. */
  async function requeueSlot(slot: Slot, how: Requeue): Promise<void> {
    slot.idle.start();
    try {
      await requeue(db, slot.claim, how, slot.idle.ms());
    } catch (error) {
      log.warn(
        { execution: slot.claim.id, reason: sentenceOf(error) },
        "an execution could not be given back yet",
      );
      databaseRetry.run(() => requeue(db, slot.claim, how, slot.idle.ms())).catch(() => undefined);
    }
  }

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
      const heartbeatNow = intervals.every(heartbeatMs, "a heartbeat", () => slots.heartbeat());
      listener = listen(store.connection, {
        onSignal: slots.onSignal,
        onReady: dispatcher.ready,
        onHold: yielding.onHold,
        // What was said while nobody listened.
        onConnect() {
          heartbeatNow();
          dispatcher.ready();
        },
      });
      intervals.every(lookIntervalMs, "a look for what is ready", async () => dispatcher.ready());
      intervals.every(sweepIntervalMs, "a sweep", async () => {
        const taken = await sweep(db);
        meters?.takenOver(taken);
      })();
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
      intervals.stop();
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
