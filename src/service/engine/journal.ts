import type { Kysely } from "kysely";
import { deferred } from "../deferred.ts";
import { inOrder, stampOf } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import type { AttachedRow } from "./attached-rows.ts";
import { type Claim, readJournal } from "./claim.ts";
import { LimitError, limits } from "./engine-error.ts";
import type { Execution, Journal, Step, StepOptions } from "./kind.ts";
import { appendLog } from "./log-writes.ts";
import { type NewStep, recordSteps, type StepWrite } from "./record-steps.ts";
import { spawn } from "./spawn.ts";
import type { Batch } from "./step-batch.ts";
import { createWriteTurns } from "./write-turns.ts";

/** A journal with what only the engine may know of it. */
export interface OpenJournal {
  readonly journal: Journal;
  /** How often the execution had been woken before the steps were read that `advance` begins with. */
  readonly wakeSeq: number;
  /** Something that it waits for has ended: reads the steps again, and `woken` resolves. */
  wake(): Promise<void>;
  /** The error of the first write that did not get through: whatever `advance` made of it, the execution cannot be ended. */
  broken(): unknown;
  /** Writes what waits for the next write. @throws Fenced; LimitError; what a lost database throws */
  flush(): Promise<void>;
  /** When no write is under way any more. */
  settled(): Promise<void>;
  /** Steps that need no record any more, as the execution ends: their lines and rows go with the end. */
  takeUnwritten(): Batch;
  /** Lines that are about to be written, none of them dated before the last. */
  dated(lines: readonly string[]): string[];
  /** They could not go with it after all: they are written with what comes next. */
  putBack(unwritten: Batch): void;
  /** Whether there is, or was until just now, anything to wait for. */
  waits(): boolean;
  /** Whether anything was to be written but lines, and steps that wait for the next write. */
  hasWritten(): boolean;
}

/** What was there before. */
export interface Begun {
  readonly wakeSeq: number;
  readonly steps: readonly Step[];
  readonly lastLogged: string | null;
}

/** Of an execution that nobody has had before. */
export const unbegun: Begun = { wakeSeq: 0, steps: [], lastLogged: null };

interface JournalContext {
  readonly db: Kysely<Database>;
  remind(ms: number): void;
  record(write: StepWrite): Promise<boolean>;
  giveWay(id: string): Promise<void>;
}

/**
 * Opens the journal of an execution that this worker has.
 * @param begun what is recorded so far
 * @param remind called with the milliseconds of each wait that is recorded
 * @param record writes steps with those of others, see `recordSteps`
 * @param giveWay awaited before each write
 * @param ready no write is made before; where it rejects, none ever is
 */
export function openJournal(
  { db, remind, record, giveWay }: JournalContext,
  execution: Execution,
  claim: Claim,
  signal: AbortSignal,
  begun: Begun,
  ready: Promise<void> = Promise.resolve(),
): OpenJournal {
  const steps = new Map(begun.steps.map((step) => [step.key, step]));
  let { lastLogged } = begun;
  let children = begun.steps.filter((step) => step.childId !== null).length;
  let next = deferred();
  let unseen = false;
  let refreshed = false;

  const { waiting, inTurn, assertUsable, broken, settled } = createWriteTurns({
    ...{ signal, ready },
    giveWay: () => giveWay(claim.id),
    onDue: () => void flush().catch(() => undefined),
  });
  let hasWritten = false;

  function dated(lines: readonly string[]): string[] {
    const all = inOrder(lines, lastLogged);
    lastLogged = stampOf(all.at(-1)) ?? lastLogged;
    return all;
  }

  const write = (work: (earlier: Batch) => Promise<void>) => {
    hasWritten = true;
    return inTurn(work);
  };

  const flush = () =>
    inTurn(async (earlier) => {
      if (earlier.steps.length > 0) await record({ claim, ...earlier });
    });

  function assertRoom(): void {
    if (steps.size >= limits.steps) throw new LimitError("steps");
  }

  async function add(step: NewStep, record: (earlier: Batch) => Promise<boolean>): Promise<void> {
    assertUsable();
    if (steps.has(step.key)) return;
    await write(async (earlier) => {
      if (steps.has(step.key)) return waiting.putBack(earlier);
      assertRoom();
      if (await record(earlier)) steps.set(step.key, step);
      // Recorded before, by a write whose answer was lost: what counts is what is there.
      else await refresh();
    });
  }

  async function addRepeatable(
    step: NewStep,
    log: readonly string[],
    rows: readonly AttachedRow[],
  ): Promise<void> {
    assertUsable();
    if (steps.has(step.key)) return;
    assertRoom();
    steps.set(step.key, step);
    hasWritten ||= rows.length > 0;
    if (waiting.add(step, log, rows)) await flush();
  }

  const plain = (step: NewStep, { within, rows = [], log: given = [], isRepeatable }: StepOptions) => {
    const log = dated(given);
    if (isRepeatable && within === undefined) return addRepeatable(step, log, rows);
    return add(step, (earlier) => {
      const all = { claim, ...after(earlier, { steps: [step], lines: log, rows }) };
      if (within === undefined) return record(all);
      return db.transaction().execute(async (tx) => {
        const made = await recordSteps(tx, all);
        if (made) await within(tx);
        return made;
      });
    });
  };

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
    async wait(key, ms, options = {}) {
      const waitMs = Math.max(ms, 0);
      await plain({ ...blank, key, state: "waiting", waitMs }, options);
      remind(waitMs);
    },
    async spawn(key, child, options = {}) {
      const step: Step = { ...blank, key, state: "waiting", childId: child.id };
      const { log = [], rows = [], within, limit } = options;
      await add(step, async (earlier) => {
        if (children >= limits.children) throw new LimitError("children");
        children += 1;
        const write = { claim, ...after(earlier, { steps: [step], lines: dated(log), rows }) };
        const made = await spawn(db, execution, write, step.key, child, { within, limit });
        if (made && limit !== undefined && !steps.has(limit.key))
          steps.set(limit.key, { ...blank, key: limit.key, state: "waiting" });
        return made;
      });
      if (limit !== undefined) remind(limit.ms);
    },
    log: (lines) =>
      write(async (earlier) => {
        const all = after(earlier, { steps: [], lines: dated(lines), rows: [] });
        if (all.steps.length === 0) await appendLog(db, claim, all.lines);
        else await record({ claim, ...all });
      }),
    woken: () => {
      if (!unseen) return next.promise;
      unseen = false;
      return Promise.resolve();
    },
  };

  return {
    journal,
    wakeSeq: begun.wakeSeq,
    broken,
    flush,
    settled,
    dated,
    takeUnwritten: () => waiting.take(),
    putBack: (unwritten) => waiting.putBack(unwritten),
    hasWritten: () => hasWritten,
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

const after = (earlier: Batch, { steps, lines, rows }: Batch): Batch => ({
  steps: [...earlier.steps, ...steps],
  lines: [...earlier.lines, ...lines],
  rows: [...earlier.rows, ...rows],
});

const blank = { output: null, error: null, wakeAt: null, childId: null };
