import type { Execution, Journal, Kind } from "../service/engine/kind.ts";

/** Where a worker can die while it has an execution, in the order in which it gets there. */
export const crashPoints = [
  /** It has the execution, and has done nothing yet, not even a heartbeat. */
  "claimed",
  /** In the middle of a step. */
  "in a step",
  /** The step's effect has happened, nothing is recorded. */
  "effect done",
  /** The step is recorded, and the worker has not gone on. */
  "recorded",
  /** Inside the transaction that ends the execution. */
  "ending",
  /** It has ended, and its job is still there. */
  "ended",
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/**
 * The kind, whose process dies when it gets to that point for the first time.
 * @param die never returns
 * @param hasEnded whether this execution has ended, as others see it
 */
export function crashingKind(
  kind: Kind,
  point: string | undefined,
  die: () => never,
  hasEnded: (id: string) => Promise<boolean>,
): Kind {
  const watch = async (id: string): Promise<void> => {
    while (!(await hasEnded(id))) await new Promise(setImmediate);
    die();
  };
  return {
    async advance(execution: Execution, journal: Journal) {
      if (point === "claimed") die();
      const record: Journal["record"] = async (...step) => {
        await journal.record(...step);
        if (point === "recorded") die();
      };
      const outcome = await kind.advance(execution, { ...journal, steps: journal.steps, record });
      if (point === "ended" && outcome.type === "done") void watch(execution.id);
      return outcome;
    },
    async ended() {
      if (point === "ending") die();
    },
  };
}
