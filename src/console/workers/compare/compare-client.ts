import type { RunLog } from "../run-log.ts";
import type { Comparison } from "./compare-lines.ts";
import type { FromComparer, Side, ToComparer } from "./compare-messages.ts";

/** The two ends of a worker, so that tests can do without one. */
export interface ComparePort {
  postMessage(message: ToComparer): void;
  /** `onDeath`: the worker broke and will not answer. */
  listen(onMessage: (message: FromComparer) => void, onDeath: () => void): void;
  terminate(): void;
}

/** Lines handed over in one go: a few milliseconds, so that typing and scrolling are never held up. */
const piece = 4_000;

/** Compares two logs off the main thread. Lines cross once, however often they are compared. */
export interface LogComparer {
  /** Rejects where the worker broke; a later call does not mend that. */
  compare(options: { readonly even: boolean; readonly ids: readonly string[] }): Promise<Comparison>;
  close(): void;
}

/** @param spawn starts the worker; called at the first comparison */
export function createLogComparer(
  logs: Readonly<Record<Side, RunLog>>,
  spawn: () => ComparePort,
): LogComparer {
  const sent = { a: { count: 0, replacements: 0 }, b: { count: 0, replacements: 0 } };
  const waiting = new Map<
    number,
    { resolve: (comparison: Comparison) => void; reject: (error: Error) => void }
  >();
  let port: ComparePort | null = null;
  let isClosed = false;
  let counter = 0;

  function open(): ComparePort {
    const made = spawn();
    made.listen(
      ({ id, comparison }) => {
        waiting.get(id)?.resolve(comparison);
        waiting.delete(id);
      },
      () => {
        for (const { reject } of waiting.values()) reject(new Error("The comparison broke off"));
        waiting.clear();
      },
    );
    return made;
  }

  async function hand(side: Side, to: ComparePort): Promise<void> {
    const log = logs[side];
    const mine = sent[side];
    if (mine.replacements !== log.replacements) {
      mine.count = 0;
      mine.replacements = log.replacements;
    }
    for (;;) {
      const lines = log.getLines(mine.count, piece);
      if (lines.length === 0) return;
      to.postMessage({ type: "lines", side, from: mine.count, lines });
      mine.count += lines.length;
      if (lines.length < piece) return;
      await new Promise((wake) => setTimeout(wake, 0));
      if (isClosed) return;
    }
  }

  return {
    async compare({ even, ids }) {
      port ??= open();
      const to = port;
      await hand("a", to);
      await hand("b", to);
      counter += 1;
      const id = counter;
      return new Promise((resolve, reject) => {
        if (isClosed) reject(new Error("The comparison was given up"));
        waiting.set(id, { resolve, reject });
        to.postMessage({ type: "compare", id, even, ids });
      });
    },
    close() {
      isClosed = true;
      waiting.clear();
      port?.terminate();
      port = null;
    },
  };
}
