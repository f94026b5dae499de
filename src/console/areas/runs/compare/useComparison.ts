import { useEffect, useRef, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { type WorkerEnd, workerSeat } from "../../../lib/workers/worker-seat.ts";
import { useLogValue } from "../log/useRunLog.ts";
import type { RunLog } from "../worker/run-log.ts";
import type { FromComparer, Side, ToComparer } from "./worker/comparer.ts";

interface Options {
  /** Both logs were read at least once. */
  readonly isReady: boolean;
  readonly even: boolean;
  /** Ids that stand for themselves wherever they are written: those of the runs. */
  readonly ids: readonly string[];
}

/** What is known of a comparison. */
export interface ReadComparison {
  /** The last one that came; null before the first. */
  readonly comparison: Comparison | null;
  readonly hasFailed: boolean;
}

/** Two logs lined up in a worker, anew when one of them grows; one comparison at a time. */
export function useComparison(a: RunLog, b: RunLog, { isReady, even, ids }: Options): ReadComparison {
  const { workers } = useApi();
  const [state, setState] = useState<ReadComparison>({ comparison: null, hasFailed: false });
  const key = ids.join(" ");
  const versions = `${useLogValue(a, versionOf)} ${useLogValue(b, versionOf)}`;
  const comparisons = useRef<ReturnType<typeof oneAtATime>>(null);

  useEffect(() => {
    const comparer = createLogComparer({ a, b }, () => workers.start("compare"));
    comparisons.current = oneAtATime(comparer, setState);
    return comparisons.current.close;
  }, [a, b, workers]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of a log is what to compare anew
  useEffect(() => {
    if (isReady) comparisons.current?.ask({ even, ids: key.split(" ") });
  }, [isReady, even, key, versions, a, b, workers]);
  return state;
}

const versionOf = ({ version }: RunLog) => version;

/** Asks for the newest that is wanted when what was asked before it has come. */
function oneAtATime(comparer: LogComparer, show: (state: ReadComparison) => void) {
  let wanted: CompareOptions | null = null;
  let isBusy = false;
  let isClosed = false;
  async function work(): Promise<void> {
    isBusy = true;
    while (wanted !== null && !isClosed) {
      const options = wanted;
      wanted = null;
      const state = await comparer.compare(options).then(
        (comparison) => ({ comparison, hasFailed: false }),
        () => ({ comparison: null, hasFailed: true }),
      );
      if (!isClosed) show(state);
    }
    isBusy = false;
  }
  return {
    ask(options: CompareOptions) {
      wanted = options;
      if (!isBusy) void work();
    },
    close() {
      isClosed = true;
      comparer.close();
    },
  };
}

/** A worker, or in tests the comparer itself. */
export type ComparePort = WorkerEnd<ToComparer, FromComparer>;

/** Lines handed over in one go: a few milliseconds, so that typing and scrolling are never held up. */
const piece = 4_000;

/** Two logs could not be compared, and why. */
class CompareError extends Error {
  override readonly name = "CompareError";
  readonly kind: "worker died" | "closed";

  constructor(kind: CompareError["kind"]) {
    super(`The comparison broke off: ${kind}`);
    this.kind = kind;
  }
}

/** How two logs are compared; `ids` stand for themselves wherever they are written. */
interface CompareOptions {
  readonly even: boolean;
  readonly ids: readonly string[];
}

/** Compares two logs off the main thread. Lines cross once, however often they are compared. */
interface LogComparer {
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
