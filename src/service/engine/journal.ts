import type { Kysely } from "kysely";
import type { Database } from "../store/schema.ts";
import { readJournal } from "./claim.ts";
import { Fenced, LimitError, limits } from "./engine-error.ts";
import type { Execution, Journal, Step, StepOptions } from "./kind.ts";
import { appendLog, type Claim, recordStep } from "./record.ts";
import { spawn } from "./spawn.ts";

/** A journal with what only the engine may know of it. */
export interface OpenJournal {
  readonly journal: Journal;
  /** How often the execution had been woken before the steps were read that `advance` begins with. */
  readonly wakeSeq: number;
  /** Something that it waits for has ended: reads the steps again, and `woken` resolves. */
  wake(): Promise<void>;
  /** The error of the first write that did not get through: whatever `advance` made of it, the execution cannot be ended. */
  broken(): unknown;
  /** Whether there is, or was until just now, anything to wait for. */
  waits(): boolean;
}

/**
 * Opens the journal of an execution that this worker has.
 * @param begun what is recorded so far
 * @param remind called with the time of each wait that is recorded
 */
export function openJournal(
  { db, remind }: { readonly db: Kysely<Database>; remind(at: Date): void },
  execution: Execution,
  claim: Claim,
  signal: AbortSignal,
  begun: { readonly wakeSeq: number; readonly steps: readonly Step[] },
): OpenJournal {
  const steps = new Map(begun.steps.map((step) => [step.key, step]));
  let children = begun.steps.filter((step) => step.childId !== null).length;
  let broken: unknown;
  let next = deferred();
  let unseen = false;
  let refreshed = false;

  /** Lets one write through if nothing has gone wrong before. A limit is the kind's to handle, all else is the engine's. */
  async function write(work: () => Promise<void>): Promise<void> {
    if (broken !== undefined) throw broken;
    if (signal.aborted && signal.reason instanceof Fenced) throw signal.reason;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LimitError)) broken ??= error;
      throw error;
    }
  }

  async function add(step: Step, record: () => Promise<boolean>): Promise<void> {
    await write(async () => {
      if (steps.has(step.key)) return;
      if (steps.size >= limits.steps) throw new LimitError("steps");
      if (await record()) steps.set(step.key, step);
      // Recorded before, by a write whose answer was lost: what counts is what is there.
      else await refresh();
    });
  }

  const plain = (step: Step, options: StepOptions) =>
    add(step, () => {
      const { within, log } = options;
      if (within === undefined) return recordStep(db, claim, step, log);
      return db.transaction().execute(async (tx) => {
        const made = await recordStep(tx, claim, step, log);
        if (made) await within(tx);
        return made;
      });
    });

  async function refresh(): Promise<void> {
    refreshed = true;
    for (const step of (await readJournal(db, execution.id)).steps) steps.set(step.key, step);
  }

  const journal: Journal = {
    signal,
    steps,
    record: (key, outcome, options = {}) =>
      plain(
        outcome.type === "done"
          ? { ...blank, key, state: "done", output: outcome.output }
          : { ...blank, key, state: "failed", error: outcome.error },
        options,
      ),
    async waitUntil(key, wakeAt, options = {}) {
      await plain({ ...blank, key, state: "waiting", wakeAt }, options);
      remind(wakeAt);
    },
    spawn: (key, child, options = {}) => {
      const step: Step = { ...blank, key, state: "waiting", childId: child.id };
      return add(step, async () => {
        if (children >= limits.children) throw new LimitError("children");
        children += 1;
        return spawn(db, execution, claim, step, child, options);
      });
    },
    log: (lines) => write(() => appendLog(db, claim, lines)),
    woken: () => {
      if (!unseen) return next.promise;
      unseen = false;
      return Promise.resolve();
    },
  };

  return {
    journal,
    wakeSeq: begun.wakeSeq,
    broken: () => broken,
    waits: () => refreshed || [...steps.values()].some((step) => step.state === "waiting"),
    async wake() {
      await refresh();
      unseen = true;
      const waiting = next;
      next = deferred();
      waiting.resolve();
    },
  };
}

const blank = { output: null, error: null, wakeAt: null, childId: null };

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
