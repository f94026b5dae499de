import type { AttachedRow } from "./attached-rows.ts";
import type { NewStep } from "./record-steps.ts";

/** How long what is repeatable waits for another write before it is written by itself, in milliseconds. */
const longestMs = 20;
/** How many steps wait at most. */
const mostSteps = 50;

/** Steps with their log lines and rows that are not written yet. */
export interface Batch {
  readonly steps: readonly NewStep[];
  readonly lines: readonly string[];
  readonly rows: readonly AttachedRow[];
}

/** Keeps what may wait for the next write, not for long: whoever follows the log sees it a moment later. */
export interface StepBatch {
  /** @returns true when it is to be written now */
  add(step: NewStep, lines: readonly string[], rows: readonly AttachedRow[]): boolean;
  /** All of it; it is the caller's to write. */
  take(): Batch;
  /** What was taken and could not be written: it comes first, and waits for the next write. */
  putBack(batch: Batch): void;
}

/** @param flush called when nothing has taken it for a while; never throws */
export function createStepBatch(flush: () => void): StepBatch {
  let steps: NewStep[] = [];
  let lines: string[] = [];
  let rows: AttachedRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    add(step, texts, given) {
      steps.push(step);
      lines.push(...texts);
      rows.push(...given);
      timer ??= setTimeout(flush, longestMs);
      return steps.length >= mostSteps;
    },
    take() {
      clearTimeout(timer);
      timer = undefined;
      const taken = { steps, lines, rows };
      steps = [];
      lines = [];
      rows = [];
      return taken;
    },
    putBack(batch) {
      steps = [...batch.steps, ...steps];
      lines = [...batch.lines, ...lines];
      rows = [...batch.rows, ...rows];
    },
  };
}
