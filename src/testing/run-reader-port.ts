import type { Port } from "../console/areas/runs/worker/run-reader-client.ts";
import { RunService } from "../console/areas/runs/worker/run-service.ts";

/** The run reader without a worker: the same desk, its messages copied as a worker's would be. */
export function runReaderPort(fetcher: typeof fetch = (...args) => fetch(...args)): Port {
  let take: ((message: never) => void) | null = null;
  let open = true;
  const desk = new RunService((message, transfer) => {
    const copy = structuredClone(message, { transfer });
    queueMicrotask(() => open && take?.(copy as never));
  }, fetcher);
  return {
    postMessage: (message) => desk.handle(structuredClone(message)),
    listen: (onMessage) => {
      take = onMessage as (message: never) => void;
    },
    terminate: () => {
      open = false;
    },
  };
}
