import { useEffect, useRef, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { useLogValue } from "../log/useRunLog.ts";
import type { RunLog } from "../worker/run-log.ts";
import { type CompareOptions, createLogComparer, type LogComparer } from "./worker/compare-client.ts";

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
