import { setTimeout } from "node:timers/promises";
import type { Context } from "../context.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import { indexBatch } from "./index-batch.ts";

/** Milliseconds from one look to the next: what has ended is found after so long. */
const between = 1_000;
/** So many in one batch say that there may be more behind them. Fewer are what has ended since the last look. */
const few = 500;

/** Keeps the index up to date until it is stopped. Any number of processes may have one. */
export function createIndexer({ store, log }: Pick<Context, "store" | "log">): Recurring {
  const index = async (signal: AbortSignal) => {
    for (;;) {
      const begun = performance.now();
      if (signal.aborted || ((await indexBatch(store)) ?? 0) < few) return;
      // A long history takes at most half of one connection's time.
      await setTimeout(performance.now() - begun, undefined, { signal }).catch(() => undefined);
    }
  };
  return createRecurring(index, between, (err) =>
    log.warn({ err }, "what has ended could not be indexed for the search"),
  );
}
