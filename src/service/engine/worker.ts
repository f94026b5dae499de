import { setTimeout as delay } from "node:timers/promises";
import { sentenceOf } from "../store/store-error.ts";
import { engineLine, goOn } from "./advance.ts";
import { type Back, claim, giveBack, unclaim, wakeHeld } from "./claim.ts";
import type { EngineOptions } from "./engine.ts";
import { limits, Stopping } from "./engine-error.ts";
import { tasks } from "./jobs.ts";
import { createPatience } from "./patience.ts";
import { type Runner, startRunner } from "./runner.ts";
import { type Listener, listen } from "./signals.ts";
import { createSlots, type Slot } from "./slots.ts";
import { sweep } from "./sweep.ts";
import { endWaitingStep } from "./wake.ts";

const beatMs = 3_000;
const sweepMs = 5_000;
/** How long what was aborted may take to let go. */
const abortMs = 5_000;

/** One process's share of the work. */
export interface Worker {
  work(): Promise<void>;
  /** Aborts these executions where they are in this worker's hands: they are over. */
  drop(ids: readonly string[]): void;
  stop(graceMs: number): Promise<void>;
}

export function createWorker({ store, clock, log, concurrency, kinds, owner }: EngineOptions): Worker {
  const { db } = store;
  const slots = createSlots(store, owner);
  const patience = createPatience();
  const timers: NodeJS.Timeout[] = [];
  let runner: Runner | null = null;
  let listener: Listener | null = null;
  const bench = { db, kinds, clock, log, remind: (at: Date) => runner?.remind(at) };

  async function execute(id: string): Promise<void> {
    if (patience.left) return;
    const heldLine = engineLine(
      clock,
      `waiting: ${limits.running} runs and conversations of this %s are already running; this one goes on as soon as one of them ends`,
    );
    const names = Object.keys(kinds);
    const placed = names.filter((name) => kinds[name]?.hasPlace);
    let askedAt = 0;
    const row = await patience.until(async (again) => {
      if (again && !slots.has(id)) await unclaim(db, id, owner);
      askedAt = performance.now();
      return claim(db, id, { owner, kinds: names, placed, heldLine });
    });
    if (row === undefined) return;
    if (row.state === "running") await inHand(slots.take(row, askedAt));
    // A place is free now; or one became free between the count and our note that this one is held.
    await patience.until(() => wakeHeld(db, row.limit_key));
  }

  async function inHand(slot: Slot): Promise<void> {
    if (patience.left) slot.abort.abort(new Stopping());
    try {
      const after = await goOn(bench, slot);
      if (after !== "nothing") await back(slot, after);
    } finally {
      slots.release(slot);
    }
  }

  /** Gives an execution back; while the database is away, in the background, so that the place is free. */
  async function back(slot: Slot, how: Back): Promise<void> {
    try {
      await giveBack(db, slot.claim, how);
      if (how.pauseSeconds > 0) bench.remind(new Date(Date.now() + how.pauseSeconds * 1_000));
    } catch (error) {
      log.warn(
        { execution: slot.claim.id, reason: sentenceOf(error) },
        "an execution could not be given back yet",
      );
      patience.until(() => giveBack(db, slot.claim, how)).catch(() => undefined);
    }
  }

  async function wake(id: string, key: string): Promise<void> {
    await patience.until(() =>
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
      if (runner !== null || patience.left) return;
      runner = await startRunner(
        store.connection,
        concurrency,
        {
          [tasks.execute]: job((field) => execute(field("id"))),
          [tasks.wake]: job((field) => wake(field("id"), field("key"))),
        },
        log,
      );
      const beatNow = every(beatMs, "a heartbeat", () => slots.beat());
      // What was said while nobody listened, the heartbeat finds out.
      listener = listen(store.connection, slots.hear, beatNow);
      every(sweepMs, "a sweep", () => sweep(db))();
    },
    drop(ids) {
      for (const id of ids) slots.hear("over", id);
    },
    async stop(graceMs) {
      if (patience.left) return;
      const drained = runner?.stop();
      await Promise.race([drained, delay(graceMs, undefined, { ref: false })]);
      patience.leave();
      slots.abortAll(new Stopping());
      await Promise.race([drained, delay(abortMs, undefined, { ref: false })]);
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
