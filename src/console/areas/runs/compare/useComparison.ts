import { useEffect, useMemo, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import { useLogLength } from "../log/useRunLog.ts";
import type { RunLog } from "../worker/run-log.ts";
import { createLogComparer } from "./worker/compare-client.ts";

interface Options {
  /** Both logs were read at least once. */
  readonly isReady: boolean;
  readonly even: boolean;
  /** Ids that stand for themselves wherever they are written: those of the runs. */
  readonly ids: readonly string[];
}

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
  const versions = `${useVersion(a)} ${useVersion(b)}`;
  const desk = useMemo(() => new Desk(setState), []);

  useEffect(() => {
    const comparer = createLogComparer({ a, b }, () => workers.start("compare"));
    desk.open((options) => comparer.compare(options));
    return () => {
      desk.close();
      comparer.close();
    };
  }, [a, b, workers, desk]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of a log is what to compare anew
  useEffect(() => {
    if (isReady) desk.want({ even, ids: key.split(" ") });
  }, [desk, isReady, even, key, versions, a, b, workers]);
  return state;
}

function useVersion(log: RunLog): number {
  useLogLength(log);
  return log.version;
}

type Wish = { readonly even: boolean; readonly ids: readonly string[] };

/** Hands on the newest wish when the one before it is done. */
class Desk {
  readonly #show: (state: ReadComparison) => void;
  #compare: ((wish: Wish) => Promise<Comparison>) | null = null;
  #wish: Wish | null = null;
  #isBusy = false;

  constructor(show: (state: ReadComparison) => void) {
    this.#show = show;
  }

  open(compare: (wish: Wish) => Promise<Comparison>): void {
    this.#compare = compare;
    this.#isBusy = false;
  }

  close(): void {
    this.#compare = null;
    this.#wish = null;
  }

  want(wish: Wish): void {
    this.#wish = wish;
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    const compare = this.#compare;
    const wish = this.#wish;
    if (compare === null || wish === null) return;
    this.#wish = null;
    this.#isBusy = true;
    try {
      const comparison = await compare(wish);
      if (this.#compare !== compare) return;
      this.#show({ comparison, hasFailed: false });
    } catch {
      if (this.#compare !== compare) return;
      this.#show({ comparison: null, hasFailed: true });
    }
    this.#isBusy = false;
    await this.#work();
  }
}
