import type { WorkerEnd } from "../console/lib/workers/calls.ts";
import { type FromWorker, type Methods, serve, type ToWorker } from "../console/lib/workers/serve.ts";

/** A worker that is no thread: the same methods, what goes to and fro copied and handed over as a worker's would be. */
export function workerEnd(methods: Methods, onPost: (message: FromWorker) => void = () => {}): WorkerEnd {
  let take: ((message: FromWorker) => void) | null = null;
  let hear: (event: { readonly data: ToWorker }) => void = () => {};
  serve(methods, {
    postMessage(message, { transfer }) {
      onPost(message);
      const copy = structuredClone(message, { transfer });
      queueMicrotask(() => take?.(copy));
    },
    addEventListener: (_, listener) => {
      hear = listener;
    },
  });
  return {
    postMessage: (message, transfer) => hear({ data: structuredClone(message, { transfer }) }),
    listen: (onMessage) => {
      take = onMessage;
    },
    terminate: () => {
      take = null;
    },
  };
}
