import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../context.ts";
import type { Meters } from "../meters.ts";
import { inOrder } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import { isDatabaseUnavailable, isFilesUnavailable, isOutOfRoom } from "../store/store-error.ts";
import { givePlace, type Requeue, readJournal, readLastLogged, suspend, tellOfPlaces } from "./claim.ts";
import type { DiskFullBackoff } from "./disk-full-backoff.ts";
import { end, type Kinds } from "./end-and-kill.ts";
import type { Ended, ExecutionEnd } from "./end-executions.ts";
import { Fenced, LeaseExpired, LimitError, limits, Stopping } from "./engine-error.ts";
import { spentBefore } from "./execution-limits.ts";
import { openJournal, unbegun } from "./journal.ts";
import type { Execution, Outcome } from "./kind.ts";
import { appendLog } from "./log-writes.ts";
import type { StepWrite } from "./record-steps.ts";
import { toExecution } from "./rows.ts";
import type { Slot } from "./slots.ts";
import { advanceFresh, type Forecast } from "./speculation.ts";
import type { EngineTracing } from "./tracing.ts";

/** What a worker needs to advance an execution. */
export interface WorkerContext {
  readonly db: Kysely<Database>;
  readonly kinds: Kinds;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters?: Meters | undefined;
  readonly tracing?: EngineTracing | undefined;
  /** Called with the milliseconds of each wait that is recorded. */
  remind(ms: number): void;
  /**
   * Ends one of that kind whose end touches no other execution, with others of the same moment.
   * @returns whether it was still ours
   */
  endAlone(kind: string, end: ExecutionEnd): Promise<boolean>;
  /** Records steps, with those of others of the same moment. See `recordSteps`. */
  record(write: StepWrite): Promise<boolean>;
  /** Waits for another's only run, where there is one and this is one of many. See `Yielding`. */
  giveWay(id: string): Promise<void>;
  /** Who waits for room on a full disk. */
  readonly diskFull: DiskFullBackoff;
  /** What is likely to end at once. */
  readonly forecast: Forecast;
}

/** A line of the engine's own in the log of an execution. */
export function engineLine(clock: Clock, text: string): string {
  return `${clock.now().toISOString()} [run] ${text}`;
}

/**
 * What is to be done with an execution that is advanced no more: nothing (it has ended, waits or is somebody else's), or
 * it must be queued again: because the process stops or the database was away, or because its end could not be written.
 * What may have been its own fault counts like a lost worker, lest it goes round for ever.
 */
export type AdvanceResult = "nothing" | Requeue;

/**
 * Advances an execution until it has ended or waits.
 * @param leave called when nothing is left to do but to write an end that goes with others
 */
export async function advance(context: WorkerContext, slot: Slot, leave: () => void): Promise<AdvanceResult> {
  slot.idle.stop();
  const row = toExecution(slot.row);
  const execution = {
    ...row,
    spentMs: spentBefore(slot.row),
    ...(context.tracing && { traceOf: await context.tracing.find(row) }),
  };
  try {
    const outcome = await outcomeOf(context, execution, slot).catch((error: unknown) =>
      failureOf(error, execution, context.log),
    );
    if (outcome.type === "waiting") context.diskFull.over(execution.id);
    return outcome.type === "waiting" ? "nothing" : await finish(context, execution, slot, outcome, leave);
  } catch (error) {
    if (error instanceof Fenced) return "nothing";
    if (isOutOfRoom(error)) return await waitForRoom(context, slot, fullDisk);
    if (isFilesUnavailable(error)) return await waitForRoom(context, slot, filesAway);
    if (error instanceof Stopping) return { suspect: false, pauseSeconds: 0, isHandover: true };
    if (isRetryable(error)) return { suspect: error instanceof MaybeUnavailable, pauseSeconds: 0 };
    // Not even the end without what belongs to it: a fault of ours.
    context.log.error({ execution: execution.id, err: error }, "an execution could not be ended");
    return { suspect: true, pauseSeconds: pauseAfter(slot.row.attempts) };
  }
}

const fullDisk = "the disk of the service is full; it goes on when there is room";
const filesAway = "the file storage of the service is not available; it goes on when it is";

/** What was accepted is not lost by a full disk or a store that is away: it goes on later. Its log says so, once. */
async function waitForRoom(
  { db, clock, log, diskFull }: WorkerContext,
  slot: Slot,
  why: string,
): Promise<Requeue> {
  const { pauseSeconds, isFirst } = diskFull.next(slot.claim.id);
  if (isFirst) {
    log.warn({ execution: slot.claim.id }, `an execution waits: ${why}`);
    // What is done is not to be done once more for every try.
    await slot.journal?.flush().catch(() => undefined);
    const line = engineLine(clock, `waits: ${why}`);
    await appendLog(db, slot.claim, slot.journal?.dated([line]) ?? [line]).catch(() => undefined);
  }
  return { suspect: false, pauseSeconds };
}

/** How long an execution lies whose end could not be written `before + 1` times, in seconds. */
const pauseAfter = (before: number) => Math.min(4 ** before, 3_600);

/**
 * Ends it. Where what belongs to the end cannot be written it is queued again after a while, so that nobody is held up by it;
 * in the end it fails, whether that can be written in full or not.
 * @throws Fenced; what a lost database throws
 */
async function finish(
  context: WorkerContext,
  execution: Execution,
  slot: Slot,
  outcome: Ended,
  leave: () => void,
): Promise<AdvanceResult> {
  // Where the journal has not been read we do not know.
  const steps = slot.journal?.journal.steps.values();
  const hasChildren = steps === undefined || [...steps].some((step) => step.childId !== null);
  const killLine = engineLine(context.clock, "killed: the run that started this one has ended");
  // What a failed execution had done is needed to see why, and to go on from there.
  if (outcome.type === "failed") await slot.journal?.flush().catch(passRefused);
  const unwritten = slot.journal?.takeUnwritten() ?? { steps: [], lines: [], rows: [] };
  const ending = {
    ...context,
    endAlone(kind: string, mine: ExecutionEnd) {
      leave();
      return context.endAlone(kind, mine);
    },
  };
  const write = (as: Ended, force: boolean) => {
    const last = slot.journal?.dated(as.log ?? []) ?? as.log ?? [];
    const whole = { ...as, log: [...unwritten.lines, ...last] };
    const rows = force ? [] : unwritten.rows;
    return end(ending, execution, slot.claim, whole, { rows, killLine, hasChildren, force });
  };
  try {
    await write(outcome, false);
  } catch (error) {
    if (error instanceof Fenced || isRetryable(error)) throw error;
    const { attempts } = slot.row;
    context.log.error(
      { execution: execution.id, kind: execution.kind, attempt: attempts + 1, err: error },
      "what belongs to the end of an execution could not be written",
    );
    if (attempts + 1 < limits.attempts) {
      // What was done is not to be done once more for every try.
      slot.journal?.putBack(unwritten);
      await slot.journal?.flush().catch(() => undefined);
      return { suspect: true, pauseSeconds: pauseAfter(attempts) };
    }
    const why = `what belongs to its end could not be written (the service's log has more under ${execution.id})`;
    const { log } = failed(context.clock, why);
    await write({ type: "failed", error: why, log: [...(outcome.log ?? []), ...log] }, true);
  }
  return "nothing";
}

/** Where its steps cannot be recorded, for a limit or because a write before was refused, it ends all the same. */
function passRefused(error: unknown): void {
  if (error instanceof Fenced || isRetryable(error)) throw error;
}

async function outcomeOf(context: WorkerContext, execution: Execution, slot: Slot): Promise<Outcome> {
  const kind = context.kinds[execution.kind];
  if (kind === undefined) throw new Error(`there is no kind ${execution.kind}`);
  if (slot.row.attempts >= limits.attempts) {
    // Its steps are not read: that may be what its workers died of.
    const last = await readLastLogged(context.db, execution.id);
    return failed(context.clock, `the worker stopped ${slot.row.attempts} times while running this`, last);
  }
  const { signal } = slot.abort;
  // It may have been lost while it was in line.
  signal.throwIfAborted();
  for (let round = 1; ; round++) {
    // Nobody has had it before: there is nothing to read, unless its log says that it had to wait.
    const fresh = round === 1 && slot.claim.epoch === 1;
    const isUnbegun = fresh && slot.row.log_count === 0;
    const speculation = round === 1 ? slot.speculation : null;
    const begun = isUnbegun ? unbegun : await readJournal(context.db, execution.id);
    const opened = speculation?.opened ?? openJournal(context, execution, slot.claim, signal, begun);
    slot.journal = opened;
    const work = async () => {
      try {
        const outcome = await (speculation?.resume() ??
          (fresh ? advanceFresh(context, kind, execution, opened) : kind.advance(execution, opened.journal)));
        if (outcome.type === "waiting") await opened.flush();
        return outcome;
      } finally {
        await opened.settled();
      }
    };
    const outcome = await rejectOnAbort(signal, work()).catch((error: unknown) => {
      const maybeUnavailable = !signal.aborted && isDatabaseUnavailable(error);
      throw (
        opened.broken() ?? (maybeUnavailable ? new MaybeUnavailable("a kind threw", { cause: error }) : error)
      );
    });
    // Whatever was made of it: a write that did not get through must not look like an end.
    if (opened.broken() !== undefined) throw opened.broken();
    if (outcome.type !== "waiting") return outcome;
    if (!opened.waits()) throw new Error(`kind ${execution.kind} waits for nothing`);
    const forPeople = outcome.forPeople === true;
    if (await suspend(context.db, slot.claim, opened.wakeSeq, forPeople, slot.idle.ms())) {
      const given = forPeople ? await givePlace(context.db, execution.id) : [];
      if (given.length > 0) await tellOfPlaces(context.db, given);
      return outcome;
    }
    // Woken meanwhile, so it is looked at again; or fenced, which the next write finds out.
    signal.throwIfAborted();
    await assertNotFenced(context, slot);
  }
}

/** @throws Fenced */
async function assertNotFenced({ db }: WorkerContext, { claim }: Slot): Promise<void> {
  const row = await db
    .selectFrom("executions")
    .select("id")
    .where("id", "=", claim.id)
    .where("epoch", "=", claim.epoch)
    .where("state", "=", "running")
    .executeTakeFirst();
  if (row === undefined) throw new Fenced(claim.id);
}

/** A kind threw what a lost database throws. It may be ours, or that of somebody whom the kind had asked. */
class MaybeUnavailable extends Error {
  override readonly name = "PerhapsAway";
}

/** What a thrown error means for the execution: nothing yet if it may be tried again, else its failure. */
function failureOf(error: unknown, execution: Execution, log: Logger): Outcome {
  if (error instanceof Fenced || isRetryable(error)) throw error;
  if (error instanceof LimitError) return { type: "failed", error: error.message };
  log.error(
    { execution: execution.id, kind: execution.kind, err: error },
    "an execution failed unexpectedly",
  );
  return {
    type: "failed",
    error: `something went wrong inside the service (its log has more under ${execution.id})`,
  };
}

/** @param last the date of the last line in its log, where no journal knows it */
function failed(clock: Clock, error: string, last: string | null = null) {
  return { type: "failed", error, log: inOrder([engineLine(clock, `failed: ${error}`)], last) } as const;
}

function isRetryable(error: unknown): boolean {
  const reasons = [Stopping, LeaseExpired, MaybeUnavailable];
  if (isOutOfRoom(error) || isFilesUnavailable(error)) return true;
  return reasons.some((reason) => error instanceof reason) || isDatabaseUnavailable(error);
}

/** The promise, or the reason of the abort if that comes first: a slot must not depend on how well a kind listens. */
async function rejectOnAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  promise.catch((error: unknown) => error);
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    // A kind that was aborted throws all kinds of things.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
