import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type Runner, run, type WorkerEvents } from "graphile-worker";
import { isDatabaseAway, sentenceOf } from "../store/store-error.ts";
import { workerLogger } from "../store/worker-logger.ts";
import { engineLine, goOn, type Slot } from "./advance.ts";
import { claim, giveBack, leaseSeconds, renewLeases, wakeHeld } from "./claim.ts";
import type { EngineOptions } from "./engine.ts";
import { Fenced, LeaseRanOut, limits, Stopping } from "./engine-error.ts";
import { tasks } from "./jobs.ts";
import { type Listener, listen } from "./signals.ts";
import { sweep } from "./sweep.ts";
import { endWaitingStep } from "./wake.ts";
import { WorkerPool } from "./worker-pool.ts";

const beatMs = 3_000;
const sweepMs = 5_000;
/** The backstop for a job whose notification was lost. */
const pollMs = 1_000;
const longestTimerMs = 60 * 60 * 1_000;

type Phase = "idle" | "working" | "stopping" | "stopped";

/** One process's share of the work. */
export interface Worker {
  work(): Promise<void>;
  /** Aborts these executions where they are in this worker's hands: they are over. */
  drop(ids: readonly string[]): void;
  stop(graceMs: number): Promise<void>;
}

export function createWorker({ store, clock, log, concurrency, kinds, owner }: EngineOptions): Worker {
  const { db } = store;
  const bench = { db, kinds, clock, log, remind };
  const slots = new Map<string, Slot>();
  const leaving = new AbortController();
  let phase: Phase = "idle";
  let runner: Runner | null = null;
  let pool: WorkerPool | null = null;
  let listener: Listener | null = null;
  /** Makes the runner look for jobs at once, rather than at its next poll. */
  let nudge = () => {};
  const timers: NodeJS.Timeout[] = [];

  const stopped = () => phase === "stopped";

  /** Does what needs the database, again and again while it is away; undefined once this worker has stopped. */
  async function patiently<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        if (stopped()) return undefined;
        await delay(200, undefined, { signal: leaving.signal }).catch(() => undefined);
      }
    }
  }

  async function execute(id: string): Promise<void> {
    if (stopped()) return;
    const heldLine = engineLine(
      clock,
      `waiting: ${limits.running} are running already, this one goes on when one of them has ended`,
    );
    const row = await patiently(() => claim(db, id, { owner, kinds: Object.keys(kinds), heldLine }));
    if (row === undefined) return;
    if (row.state === "queued") {
      // One may have ended between the count and our note that this one is held.
      await patiently(() => wakeHeld(db, row.limit_key));
      return;
    }
    const slot: Slot = {
      row,
      claim: { id, epoch: row.epoch },
      abort: new AbortController(),
      leasedAt: performance.now(),
      wakeSeq: row.wake_seq,
      journal: null,
    };
    // We may have lost it to ourselves, while this process was stopped.
    slots.get(id)?.abort.abort(new Fenced(id));
    slots.set(id, slot);
    if (stopped()) slot.abort.abort(new Stopping());
    try {
      if (!(await goOn(bench, slot))) await back(slot);
    } finally {
      if (slots.get(id) === slot) slots.delete(id);
    }
    await patiently(() => wakeHeld(db, row.limit_key));
  }

  /** Gives an execution back; while the database is away, in the background, so that the place is free. */
  async function back(slot: Slot): Promise<void> {
    try {
      await giveBack(db, slot.claim);
    } catch (error) {
      log.warn(
        { execution: slot.claim.id, reason: sentenceOf(error) },
        "an execution could not be given back yet",
      );
      void patiently(() => giveBack(db, slot.claim)).catch(() => undefined);
    }
  }

  async function beat(): Promise<void> {
    const asked = [...slots.values()];
    const at = performance.now();
    let beats: Awaited<ReturnType<typeof renewLeases>>;
    try {
      beats = asked.length === 0 ? [] : await renewLeases(db, owner, [...slots.keys()]);
    } catch (error) {
      log.warn({ reason: sentenceOf(error) }, "a heartbeat did not get through");
      for (const slot of asked) {
        if (performance.now() - slot.leasedAt > leaseSeconds * 1_000) slot.abort.abort(new LeaseRanOut());
      }
      return;
    }
    const found = new Map(beats.map((one) => [one.id, one]));
    for (const slot of asked) {
      const mine = found.get(slot.claim.id);
      if (mine?.epoch !== slot.claim.epoch) slot.abort.abort(new Fenced(slot.claim.id));
      else {
        slot.leasedAt = at;
        if (mine.wake_seq > slot.wakeSeq) wakeSlot(slot, mine.wake_seq);
      }
    }
  }

  function wakeSlot(slot: Slot, wakeSeq: number): void {
    slot.wakeSeq = wakeSeq;
    // Should it fail, the execution still looks again before it waits.
    slot.journal?.wake().catch(() => undefined);
  }

  /** Nobody is told when the time of a job comes: whoever waits until then looks itself; others find it by polling. */
  function remind(at: Date): void {
    const ms = at.getTime() - Date.now() + 2;
    if (ms < longestTimerMs) setTimeout(() => nudge(), Math.max(ms, 0)).unref();
  }

  function every(ms: number, what: string, work: () => Promise<void>): void {
    let busy = false;
    const tick = async () => {
      if (busy) return;
      busy = true;
      try {
        await work();
      } catch (error) {
        log.warn({ reason: sentenceOf(error) }, `${what} failed`);
      } finally {
        busy = false;
      }
    };
    timers.push(setInterval(() => void tick(), ms));
    void tick();
  }

  async function startRunner(): Promise<Runner> {
    pool ??= new WorkerPool(store.connection);
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => {
      nudge = () => {
        if (phase === "working") workerPool.nudge(1);
      };
    });
    return run({
      events,
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      pollInterval: pollMs,
      parsedCronItems: [],
      logger: workerLogger(log),
      taskList: {
        [tasks.execute]: guarded((payload) => execute(textOf(payload, "id"))),
        [tasks.wake]: guarded((payload) => wake(textOf(payload, "id"), textOf(payload, "key"))),
      },
    });
  }

  const wake = async (id: string, key: string) => {
    await patiently(() =>
      db.transaction().execute((tx) => endWaitingStep(tx, id, key, { state: "done", output: null })),
    );
  };

  /** A job never fails: what went wrong is in the log, and the sweep hands out again what is not over. */
  const guarded = (work: (payload: unknown) => Promise<void>) => async (payload: unknown) => {
    await work(payload).catch((error: unknown) => log.error({ payload, err: error }, "a job went wrong"));
  };

  /** Should the runner give up, for whatever reason, another takes its place. */
  async function keepRunning(first: Runner): Promise<void> {
    runner = first;
    while (phase === "working") {
      await runner.promise.catch((error: unknown) =>
        log.warn({ reason: sentenceOf(error) }, "the worker stopped"),
      );
      if (phase !== "working") return;
      await delay(500, undefined, { signal: leaving.signal }).catch(() => undefined);
      const next = await startRunner().catch(() => null);
      if (next !== null) runner = next;
    }
  }

  return {
    async work() {
      if (phase !== "idle") return;
      phase = "working";
      const first = await startRunner();
      void keepRunning(first);
      listener = listen(
        store.connection,
        (signal, id) => {
          const slot = slots.get(id);
          if (signal === "over") slot?.abort.abort(new Fenced(id));
          else if (slot) wakeSlot(slot, slot.wakeSeq + 1);
        },
        () => void beat(),
      );
      every(beatMs, "the heartbeat", beat);
      every(sweepMs, "the sweep", () => sweep(db));
    },
    drop(ids) {
      for (const id of ids) slots.get(id)?.abort.abort(new Fenced(id));
    },
    async stop(graceMs) {
      if (phase === "idle" || runner === null) {
        phase = "stopped";
        return;
      }
      if (phase !== "working") return;
      phase = "stopping";
      pool?.giveUp();
      const drained = runner.stop().catch(() => undefined);
      await Promise.race([drained, unref(graceMs)]);
      phase = "stopped";
      leaving.abort();
      for (const slot of slots.values()) slot.abort.abort(new Stopping());
      await Promise.race([drained, unref(5_000)]);
      for (const timer of timers) clearInterval(timer);
      await listener?.close();
      await Promise.race([pool?.end(), unref(1_000)]);
    },
  };
}

const unref = (ms: number) => delay(ms, undefined, { ref: false });

function textOf(payload: unknown, field: string): string {
  if (typeof payload === "object" && payload !== null && field in payload) {
    return String(Reflect.get(payload, field));
  }
  throw new Error(`a job without ${field}`);
}
