import type { ComparePort } from "../console/workers/compare/compare-client.ts";
import type { FromComparer } from "../console/workers/compare/compare-messages.ts";
import { makeComparer } from "../console/workers/compare/comparer.ts";

/** Compares logs without a worker; what it answers comes later, as a worker's message would. */
export function comparePort(): ComparePort {
  let take: ((message: FromComparer) => void) | null = null;
  const handle = makeComparer((message) => queueMicrotask(() => take?.(message)));
  return {
    postMessage: (message) => handle(structuredClone(message)),
    listen(onMessage) {
      take = onMessage;
    },
    terminate() {
      take = null;
    },
  };
}
