import { BoundedMap } from "../store/bounded-map.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import type { TraceOf } from "../traceparent.ts";
import type { WorkerContext } from "./advance.ts";
import type { Ended } from "./end-executions.ts";
import { Fenced } from "./engine-error.ts";
import { type OpenJournal, openJournal, unbegun } from "./journal.ts";
import type { Execution, Kind, NewExecution, Outcome } from "./kind.ts";
import { newAbort } from "./slots.ts";

/** What takes longer, in milliseconds, is begun after its start is answered, where nobody says otherwise. */
const defaultQuickMs = 2;
/** Subjects that one process remembers. */
const maxSubjects = 1_000;

/**
 * Which executions are likely to end before their start is written: those about a subject of which the last one wrote nothing
 * before its end and took no time. What is slow by itself, or does something outside, is found out once.
 */
export interface Forecast {
  endsAtOnce(execution: Pick<Execution, "kind" | "subjectId">): boolean;
  /** @param tookMs until it ended; null where it did not, or wrote something before */
  observe(execution: Execution, tookMs: number | null): void;
}

/** @param quickMs an execution that took as many milliseconds or more was not over at once */
export function createForecast(quickMs = defaultQuickMs): Forecast {
  const quick = new BoundedMap<true>(maxSubjects);
  const keyOf = ({ kind, subjectId }: Pick<Execution, "kind" | "subjectId">) => `${kind} ${subjectId}`;
  return {
    endsAtOnce: (execution) => quick.get(keyOf(execution)) !== undefined,
    observe(execution, tookMs) {
      if (tookMs !== null && tookMs < quickMs) quick.set(keyOf(execution), true);
      else quick.delete(keyOf(execution));
    },
  };
}

/** Advances an execution that nobody has had before, and remembers whether those about its subject end at once. */
export async function advanceFresh(
  { forecast }: Pick<WorkerContext, "forecast">,
  kind: Kind,
  execution: Execution,
  opened: OpenJournal,
): Promise<Outcome> {
  if (!kind.isSpeculative) return kind.advance(execution, opened.journal);
  const begunAt = performance.now();
  const outcome = await kind.advance(execution, opened.journal);
  const hasEnded = outcome.type !== "waiting" && !opened.hasWritten();
  forecast.observe(execution, hasEnded ? performance.now() - begunAt : null);
  return outcome;
}

/** How an execution ended before its start was written. */
export interface SpeculativeEnd {
  /** With its whole log. */
  readonly outcome: Ended;
  /** By the clock of its log. */
  readonly begunAt: Date;
}

/** An execution that has begun before it is stored: all that it writes waits for that. */
export interface Speculation {
  readonly abort: AbortController;
  readonly opened: OpenJournal;
  /** Its end, if it has come to one and nothing but that is left to write; it stays the same then. */
  end(): SpeculativeEnd | undefined;
  /** It is stored, and this worker has it: what has waited goes on. @returns its outcome */
  resume(): Promise<Outcome>;
  /** It goes no further, unless it was resumed. */
  drop(): void;
}

/**
 * Begins with what is about to be started.
 * @param traceOf how its trace is handed on
 * @returns null where that would hold up the start, or could be seen outside
 */
export function speculate(
  context: WorkerContext,
  given: NewExecution,
  traceOf?: TraceOf,
): Speculation | null {
  const kind = context.kinds[given.kind];
  const writesMore = kind?.rowsOfEnd !== undefined || kind?.ended !== undefined;
  if (!kind?.isSpeculative || writesMore || !context.forecast.endsAtOnce(given)) return null;
  const begunAt = context.clock.now();
  const execution = { ...asStored(given, begunAt), traceOf };
  const abort = newAbort();
  let store = () => {};
  let refuse = (_: Error) => {};
  const stored = new Promise<void>((resolve, reject) => {
    store = resolve;
    refuse = reject;
  });
  // The first claim of all.
  const claim = { id: given.id, epoch: 1 };
  const opened = openJournal(context, execution, claim, abort.signal, unbegun, stored);
  let isResumed = false;
  let outcome: Outcome | undefined;
  let ended: SpeculativeEnd | undefined;
  const advanced = advanceFresh(context, kind, execution, opened);
  advanced.then(
    (reached) => {
      outcome = reached;
    },
    // Whoever resumes it gets it.
    () => undefined,
  );
  return {
    abort,
    opened,
    end() {
      if (isResumed || outcome === undefined || outcome.type === "waiting" || opened.hasWritten())
        return ended;
      if (ended !== undefined) return ended;
      const unwritten = opened.takeUnwritten();
      if (outcome.type === "failed" && unwritten.steps.length > 0) {
        // They are kept of what fails, and need its row.
        opened.putBack(unwritten);
        return undefined;
      }
      ended = { outcome: { ...outcome, log: [...unwritten.lines, ...(outcome.log ?? [])] }, begunAt };
      return ended;
    },
    resume() {
      isResumed = true;
      store();
      return advanced;
    },
    drop() {
      // What was taken as ended has nothing under way.
      if (isResumed || ended !== undefined) return;
      refuse(new Fenced(given.id));
      if (outcome === undefined) abort.abort(new Fenced(given.id));
    },
  };
}

/** As it will be read once it is stored and claimed. */
function asStored({ id, kind, subjectId, userId, teamId, input }: NewExecution, now: Date): Execution {
  const stored: JsonValue = JSON.parse(toJson(input));
  return {
    ...{ id, kind, subjectId, userId, teamId, input: stored },
    ...{ rootId: id, parentId: null, depth: 0, state: "running", result: null, error: null },
    ...{ logCount: 0, revision: 0, createdAt: now, startedAt: now, finishedAt: null },
  };
}
