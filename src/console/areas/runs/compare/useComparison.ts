import { useEffect, useRef, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { callWorker, type WorkerEnd } from "../../../lib/workers/calls.ts";
import { useLogValue } from "../log/useRunLog.ts";
import type { RunLog } from "../worker/run-log.ts";
import type { CompareOptions, compareMethods, Side } from "./worker/compare-service.ts";

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

/** Lines handed over in one go: a few milliseconds, so that typing and scrolling are never held up. */
const piece = 4_000;

/** Compares two logs off the main thread. Lines cross once, however often they are compared. */
interface LogComparer {
  /** Rejects with CallError; the next call has a new worker. */
  compare(options: CompareOptions): Promise<Comparison>;
  close(): void;
}

/** @param spawn starts the worker; called at the first comparison, and again after a worker died */
export function createLogComparer(logs: Readonly<Record<Side, RunLog>>, spawn: () => WorkerEnd): LogComparer {
  const sent = { a: { count: 0, replacements: 0 }, b: { count: 0, replacements: 0 } };
  const worker = callWorker<ReturnType<typeof compareMethods>>(spawn, {
    onLoss() {
      // The next worker has nothing yet.
      sent.a.count = 0;
      sent.b.count = 0;
    },
  });

  async function hand(side: Side): Promise<void> {
    const log = logs[side];
    const mine = sent[side];
    if (mine.replacements !== log.replacements) {
      mine.count = 0;
      mine.replacements = log.replacements;
    }
    for (let isMore = true; isMore; ) {
      const from = mine.count;
      const lines = log.getLines(from, piece);
      mine.count += lines.length;
      if (lines.length > 0) await worker.call("add", { side, from, lines });
      isMore = lines.length === piece;
    }
  }

  return {
    async compare(options) {
      await hand("a");
      await hand("b");
      return await worker.call("compare", options);
    },
    close: worker.close,
  };
}
