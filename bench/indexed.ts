import { setTimeout as delay } from "node:timers/promises";
import { indexBatch } from "../src/service/search/index-batch.ts";
import type { Store } from "../src/service/store/store.ts";

/**
 * Indexes for the search what has ended, by turns with the service: what a new installation has to catch up with is no part
 * of a usual day.
 */
export async function indexed(store: Store): Promise<void> {
  for (;;) {
    const some = await indexBatch(store);
    if (some !== null && some < 1_000) return;
    if (some === null) await delay(10);
  }
}
