import type { ComparePort } from "../console/areas/runs/compare/useComparison.ts";
import type { FromComparer } from "../console/areas/runs/compare/worker/comparer.ts";
import { makeComparer } from "../console/areas/runs/compare/worker/comparer.ts";

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
