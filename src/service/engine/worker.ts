import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { batched } from "../store/batch.ts";
import { grouped } from "../store/grouped.ts";
import { sentenceOf } from "../store/store-error.ts";
import { advance, engineLine, type WorkerContext } from "./advance.ts";
import { createCapacity, type Reservation } from "./capacity.ts";
import { claim, type Requeue, requeue, undoClaim, wakeHeld } from "./claim.ts";
import { createDatabaseRetry } from "./database-retry.ts";
import type { RowEnd } from "./end-rows.ts";
import { endTogether } from "./ending.ts";
import type { EngineOptions } from "./engine.ts";
import { limits, Stopping } from "./engine-error.ts";
import { executeJob, tasks } from "./jobs.ts";
import type { NewExecution } from "./kind.ts";
import { createLaunch } from "./launch.ts";
import { createNoRoom } from "./no-room.ts";
import { recordSteps, recordTogether, type StepWrite, wasRecorded } from "./record-steps.ts";
import { type Runner, startRunner } from "./runner.ts";
import { type Listener, listen } from "./signals.ts";
import { createSlots, type Slot } from "./slots.ts";
import { createForecast } from "./speculation.ts";
import type { RowsOfStart } from "./start.ts";
import { sweep } from "./sweep.ts";
import { endWaitingStep } from "./wake.ts";

const heartbeatMs = 3_000;
const sweepIntervalMs = 2_000;
/** How long what was aborted may take to let go. */
const abortGraceMs = 5_000;

/** One process's share of the work. */
export interface Worker {
  work(): Promise<void>;
  /** Starts an execution, with others of the same moment. It begins here where there is room. */
  launch(execution: NewExecution, rows?: RowsOfStart): Promise<void>;
  /** Room for what this process is about to start; null where the queue is to hand it out. */
  reserve(): Reservation<string> | null;
  /** Aborts these executions where they are in this worker's hands: they are over. */
  drop(ids: readonly string[]): void;
  stop(graceMs: number): Promise<void>;
}

export function createWorker(options: EngineOptions): Worker {
  const { store, clock, log, concurrency, kinds, owner, quickMs } = options;
  const { db } = store;
  const slots = createSlots(store, owner);
  const databaseRetry = createDatabaseRetry();
  const timers: NodeJS.Timeout[] = [];
  let runner: Runner | null = null;
  let listener: Listener | null = null;
  /** By kind: what belongs to the end of one kind holds up no other. */
  const enders = new Map<string, (end: RowEnd) => Promise<boolean | undefined>>();
  function endAlone(kind: string, mine: RowEnd) {
    const ender =
      enders.get(kind) ??
      grouped(async (ends: readonly RowEnd[]) => {
        const ours = await endTogether(db, kinds[kind], ends);
        return new Map(ends.map((end) => [end, ours.has(end.claim.id)]));
      });
    enders.set(kind, ender);
    return ender(mine);
  }
  const recordOf = grouped((writes: readonly StepWrite[]) => recordTogether(db, writes));
  const record = async (write: StepWrite) => {
    const outcome = await recordOf(write);
    return outcome === undefined ? recordSteps(db, write) : wasRecorded(write, outcome);
  };
  const remind = (ms: number) => runner?.remind(ms);
  const forecast = createForecast(quickMs);
  const noRoom = createNoRoom();
  const context: WorkerContext = { db, kinds, clock, log, endAlone, record, remind, forecast, noRoom };
  /** What was started here and is not taken up goes to the log: the sweep finds it. */
  const logged =
    (work: (what: string | Slot, leave: () => void) => Promise<void>) =>
    (what: string | Slot, leave = () => {}) =>
      work(what, leave).catch((error: unknown) =>
        log.error(
          { execution: typeof what === "string" ? what : what.claim.id, err: error },
          "an execution was left",
        ),
      );
  /** Of executions to be claimed, and of those that began claimed. */
  const capacity = createCapacity(concurrency, { execute: logged(execute), handOut: logged(handOut) });
  const wakeHeldOf = batched(async (limitKeys: readonly string[]) => {
    await wakeHeld(db, limitKeys);
    return new Map<string, never>();
  });

  function kindNames() {
    const names = Object.keys(kinds);
    return { names, placed: names.filter((name) => kinds[name]?.hasPlace) };
  }

  const reserve = () => (runner === null ? null : capacity.reserve());
  const claimant = () => ({ owner, placed: kindNames().placed });
  const launch = createLaunch({ context, slots, claimant, reserve });

  /** Of what was started just now and is not taken up here nobody else has been told. */
  async function handOut(what: string | Slot): Promise<void> {
    if (typeof what !== "string") {
      await requeueSlot(what, { suspect: false, pauseSeconds: 0 });
      return slots.release(what);
    }
    const fresh = executeJob(sql`id`, "fresh");
    await sql`select ${fresh} from executions where id = ${what} and state = 'queued'`.execute(db);
  }

  async function execute(what: string | Slot, leave: () => void): Promise<void> {
    const limitKey = await (typeof what === "string" ? claimAndRun(what, leave) : runSlot(what, leave));
    // A place is free now; or one became free between the count and our note that this one is held.
    if (limitKey !== undefined) await databaseRetry.run(() => wakeHeldOf(limitKey));
  }

  /** @returns whose limit it is; undefined where it was not ours to run */
  async function claimAndRun(id: string, leave: () => void): Promise<string | undefined> {
    const heldLine = engineLine(
      clock,
      `waiting: ${limits.running} runs and conversations of this %s are already running; this one goes on as soon as one of them ends`,
    );
    const { names, placed } = kindNames();
    let askedAt = 0;
    const row = await databaseRetry.run(async (again) => {
      if (again && !slots.has(id)) await undoClaim(db, id, owner);
      askedAt = performance.now();
      return claim(db, id, { owner, kinds: names, placed, heldLine });
    });
    if (row?.state === "running") await runSlot(slots.take(row, askedAt), leave);
    return row?.limit_key;
  }

  /** @returns whose limit it is */
  async function runSlot(slot: Slot, leave: () => void): Promise<string> {
    if (databaseRetry.stopped) slot.abort.abort(new Stopping());
    try {
      const result = await advance(context, slot, leave);
      if (result !== "nothing") await requeueSlot(slot, result);
    } finally {
      slots.release(slot);
    }
    return slot.row.limit_key;
  }

  /** Queues an execution again; while the database is away, in the background, so that the place is free. */
  async function requeueSlot(slot: Slot, how: Requeue): Promise<void> {
    try {
      await requeue(db, slot.claim, how);
      if (how.pauseSeconds > 0) remind(how.pauseSeconds * 1_000);
    } catch (error) {
      log.warn(
        { execution: slot.claim.id, reason: sentenceOf(error) },
        "an execution could not be given back yet",
      );
      databaseRetry.run(() => requeue(db, slot.claim, how)).catch(() => undefined);
    }
  }

  async function wake(id: string, key: string): Promise<void> {
    await databaseRetry.run(() =>
      db.transaction().execute((tx) => endWaitingStep(tx, id, key, { state: "done", output: null })),
    );
  }

  /** A job never fails: what went wrong is in the log, and the sweep hands out again what is not over. */
  const job = (work: (field: (name: string) => string) => Promise<void>) => async (payload: unknown) => {
    await work((name) => textOf(payload, name)).catch((error: unknown) =>
      log.error({ payload, err: error }, "a job went wrong"),
    );
  };

  function every(ms: number, what: string, work: () => Promise<void>): () => void {
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
  }

  return {
    async work() {
      if (runner !== null || databaseRetry.stopped) return;
      runner = await startRunner(
        store.connection,
        concurrency,
        {
          [tasks.execute]: job((field) => capacity.run(field("id"))),
          [tasks.wake]: job((field) => wake(field("id"), field("key"))),
        },
        log,
      );
      const heartbeatNow = every(heartbeatMs, "a heartbeat", () => slots.heartbeat());
      // What was said while nobody listened, the heartbeat finds out.
      listener = listen(store.connection, slots.onSignal, heartbeatNow);
      every(sweepIntervalMs, "a sweep", () => sweep(db))();
    },
    launch,
    reserve,
    drop(ids) {
      for (const id of ids) slots.onSignal("over", id);
    },
    async stop(graceMs) {
      if (databaseRetry.stopped) return;
      const drained = Promise.all([runner?.stop(), capacity.close()]);
      await Promise.race([drained, delay(graceMs, undefined, { ref: false })]);
      databaseRetry.stop();
      slots.abortAll(new Stopping());
      await Promise.race([drained, delay(abortGraceMs, undefined, { ref: false })]);
      for (const timer of timers) clearInterval(timer);
      await listener?.close();
      await runner?.close();
    },
  };
}

function textOf(payload: unknown, field: string): string {
  if (typeof payload === "object" && payload !== null && field in payload) {
    return String(Reflect.get(payload, field));
  }
  throw new Error(`a job without ${field}`);
}
