import type { Comparison } from "../../../../lib/diff/compare-lines.ts";
import { type WorkerEnd, workerSeat } from "../../../../lib/workers/worker-seat.ts";
import type { RunLog } from "../../worker/run-log.ts";
import type { FromComparer, Side, ToComparer } from "./comparer.ts";

/** A worker, or in tests the comparer itself. */
export type ComparePort = WorkerEnd<ToComparer, FromComparer>;

/** Lines handed over in one go: a few milliseconds, so that typing and scrolling are never held up. */
const piece = 4_000;

/** Two logs could not be compared, and why. */
export class CompareError extends Error {
  override readonly name = "CompareError";
  readonly kind: "worker died" | "closed";

  constructor(kind: CompareError["kind"]) {
    super(`The comparison broke off: ${kind}`);
    this.kind = kind;
  }
}

/** How two logs are compared; `ids` stand for themselves wherever they are written. */
export interface CompareOptions {
  readonly even: boolean;
  readonly ids: readonly string[];
}

/** Compares two logs off the main thread. Lines cross once, however often they are compared. */
export interface LogComparer {
  /** Rejects with CompareError; the next call has a new worker. */
  compare(options: CompareOptions): Promise<Comparison>;
  close(): void;
}

interface Waiting {
  readonly resolve: (comparison: Comparison) => void;
  readonly reject: (error: CompareError) => void;
}

/** @param spawn starts the worker; called at the first comparison, and again after a worker died */
export function createLogComparer(
  logs: Readonly<Record<Side, RunLog>>,
  spawn: () => ComparePort,
): LogComparer {
  const sent = { a: { count: 0, replacements: 0 }, b: { count: 0, replacements: 0 } };
  const waiting = new Map<number, Waiting>();
  let isClosed = false;
  let counter = 0;

  function fail(kind: CompareError["kind"]): void {
    for (const { reject } of waiting.values()) reject(new CompareError(kind));
    waiting.clear();
  }

  const seat = workerSeat<ToComparer, FromComparer>(
    spawn,
    ({ id, comparison }) => {
      waiting.get(id)?.resolve(comparison);
      waiting.delete(id);
    },
    () => {
      // The next worker has nothing yet.
      sent.a.count = 0;
      sent.b.count = 0;
      fail("worker died");
    },
  );

  async function hand(side: Side, isWanted: () => boolean): Promise<void> {
    const log = logs[side];
    const mine = sent[side];
    if (mine.replacements !== log.replacements) {
      mine.count = 0;
      mine.replacements = log.replacements;
    }
    while (isWanted()) {
      const lines = log.getLines(mine.count, piece);
      if (lines.length === 0) return;
      const from = mine.count;
      mine.count += lines.length;
      seat.post({ type: "lines", side, from, lines });
      if (lines.length < piece) return;
      await new Promise((wake) => setTimeout(wake, 0));
    }
  }

  return {
    async compare({ even, ids }) {
      if (isClosed) throw new CompareError("closed");
      counter += 1;
      const id = counter;
      const asked = new Promise<Comparison>((resolve, reject) => waiting.set(id, { resolve, reject }));
      // Not any more where the worker died, or everything was closed.
      const isWanted = () => waiting.has(id);
      const handed = (async () => {
        await hand("a", isWanted);
        await hand("b", isWanted);
        if (isWanted()) seat.post({ type: "compare", id, even, ids });
      })();
      const [comparison] = await Promise.all([asked, handed]);
      return comparison;
    },
    close() {
      isClosed = true;
      seat.end();
      fail("closed");
    },
  };
}
