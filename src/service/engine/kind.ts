import type { RawBuilder } from "kysely";
import type { JsonValue } from "../store/json.ts";
import type { ExecutionState, StepState } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { TraceOf, TraceParent } from "../traceparent.ts";
import type { AttachedRow } from "./attached-rows.ts";
import type { ChildLimit } from "./execution-limits.ts";

/** One durable piece of work: a pipeline run, an agent's turn, an evaluation. */
export interface Execution {
  readonly id: string;
  /** Names the `Kind` that advances it. */
  readonly kind: string;
  /** The topmost ancestor; its own id at the top. */
  readonly rootId: string;
  readonly parentId: string | null;
  /** 0 at the top. */
  readonly depth: number;
  /** What it is about: the saved item of a run, the interaction of a turn. */
  readonly subjectId: string;
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly input: JsonValue;
  /** `queued` may be a fresh one or one that was woken: `startedAt` tells. */
  readonly state: ExecutionState;
  readonly result: JsonValue | null;
  readonly error: string | null;
  /** Log lines so far. */
  readonly logCount: number;
  /** Rises with every change that a reader can see: good for an ETag. */
  readonly revision: number;
  readonly createdAt: Date;
  /** First claimed by a worker. */
  readonly startedAt: Date | null;
  /**
   * For how long it had been at work, or waiting for something else than a worker, before its worker got it, in milliseconds;
   * only where `advance` is given it.
   */
  readonly spentMs?: number | undefined;
  readonly finishedAt: Date | null;
  /** How its trace is handed on; only where `advance` is given it, and somebody traces it. */
  readonly traceOf?: TraceOf | undefined;
}

/** What `start` and `spawn` need to know. */
export interface NewExecution {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly input: JsonValue;
  /** What the caller said of its trace; for those at the top. */
  readonly trace?: TraceParent | null | undefined;
}

/** One recorded step of an execution. */
export interface Step {
  readonly key: string;
  readonly state: StepState;
  /** What was recorded, or the child's result; null while waiting. */
  readonly output: JsonValue;
  /** Why it failed; for a child, a sentence that names it. */
  readonly error: string | null;
  /** When a wait ends, by the database's clock; null also as long as only the process that wrote it knows of it. */
  readonly wakeAt: Date | null;
  readonly childId: string | null;
}

/** How an execution ended. */
export type End =
  | { readonly type: "done"; readonly result: JsonValue }
  | { readonly type: "failed"; readonly error: string }
  /** `reason`: a sentence of whoever killed it. */
  | { readonly type: "terminated"; readonly reason?: string | undefined };

/** What `advance` comes back with. `log` is written together with the end, so it is there once, and last. */
export type Outcome =
  | { readonly type: "done"; readonly result: JsonValue; readonly log?: readonly string[] }
  | { readonly type: "failed"; readonly error: string; readonly log?: readonly string[] }
  /**
   * `forPeople`: all that it waits for is people, who may take days, or what is below it. Where that is so in all of its tree it
   * goes on without the place that it had (see `hasPlace`).
   */
  | { readonly type: "waiting"; readonly forPeople?: boolean };

/** What is written together with a step, or not at all. */
export interface StepOptions {
  readonly log?: readonly string[] | undefined;
  /** Writes the step's own rows in the transaction that records it. It may run and be rolled back. */
  readonly within?: ((tx: Tx) => Promise<void>) | undefined;
  /** The step's own rows where one statement can write them: part of the one that records it, with others of its moment. */
  readonly rows?: readonly AttachedRow[] | undefined;
  /** Of a step that starts a child: the limit of that one's own time. */
  readonly limit?: ChildLimit | undefined;
  /**
   * Doing the step again does no harm: it is recorded a moment later, together with what is written next, and not at all
   * where the execution ends before; its log lines and rows are there in any case. After a crash before that it was never
   * done.
   */
  readonly isRepeatable?: boolean | undefined;
}

/**
 * The memory of one execution while a worker has it. Every write is fenced: once another worker has the execution, or
 * it is over, it throws `Fenced` and changes nothing. Recording a key a second time changes nothing and is no error.
 */
export interface Journal {
  /** Aborted when the execution is killed or lost, or the process stops: end what is in flight. */
  readonly signal: AbortSignal;
  /** All steps, by key; grows with what is written here, and with what ended while waiting (see `woken`). */
  readonly steps: ReadonlyMap<string, Step>;
  /**
   * Records how a step ended, for ever.
   * @throws LimitError when the log or the number of steps is over its limit
   */
  record(
    key: string,
    outcome:
      | { readonly type: "done"; readonly output: JsonValue }
      | { readonly type: "failed"; readonly error: string },
    options?: StepOptions,
  ): Promise<void>;
  /**
   * Appends lines at once, outside any step: after a crash they may be written again. Lines of a step belong to `record`.
   * @throws LimitError
   */
  log(lines: readonly string[]): Promise<void>;
  /**
   * The step becomes `done` after so many milliseconds by the database's clock, and the execution is advanced again. Return
   * `waiting` when nothing else is to do.
   */
  wait(key: string, ms: number, options?: StepOptions): Promise<void>;
  /**
   * Starts a child; the step ends as the child ends: `done` with its result, or `failed` with a reason that names it.
   * @throws LimitError when nested too deep or too many
   */
  spawn(key: string, child: NewExecution, options?: StepOptions): Promise<void>;
  /**
   * Resolves when a waiting step has ended while this call of `advance` is still busy with other things; `steps` then
   * shows it. For those who race it against their own work; never rejects, and may never resolve.
   */
  woken(): Promise<void>;
}

/** How to do one kind of work. */
export interface Kind {
  /**
   * Whether one that nothing else has started takes a place of its team from its first claim to its end, also while it
   * waits: what people see running. Others count only while a worker has them.
   */
  readonly hasPlace?: boolean;
  /**
   * Whether `advance` may begin with one that is about to be started: until its first write has got through, steps that may
   * be repeated apart, nobody outside can tell that it did. One that ends before its start is written is written once, as
   * ended. For kinds without `rowsOfEnd` and `ended`.
   */
  readonly isSpeculative?: boolean;
  /**
   * Goes on from what `journal.steps` says, as far as it can. Called after each claim and each wake; may be cut off at any
   * point and called again, also by another process. Errors of `journal` must pass through.
   */
  advance(execution: Execution, journal: Journal): Promise<Outcome>;
  /**
   * Rows that must agree with the end of an execution, whatever ended it: part of the statement that writes it, with those of
   * others of the same moment. None writes what those of another execution write, nor sees what the statement writes. If they
   * cannot be written, the execution has not ended: it is tried again, later each time, a few times, and then fails, whether
   * this works or not. A kill holds in any case.
   */
  rowsOfEnd?(execution: Execution, end: End): readonly AttachedRow[];
  /** The same for what one statement cannot write: called in the transaction that ends it, after that. Uses `tx` alone. */
  ended?(tx: Tx, execution: Execution, end: End): Promise<void>;
  /**
   * A condition over the row `executions` in SQL without which `ended` has nothing to write: those for which it does not hold
   * end in one statement, those for which it holds share transactions, as far as they are alone in their trees and nobody
   * kills them. Without it each that has `ended` has a transaction of its own.
   */
  readonly endsApart?: RawBuilder<unknown>;
}
