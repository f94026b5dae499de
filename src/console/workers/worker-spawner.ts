import type { WorkerEnd } from "./worker-seat.ts";
import type { WorkerUrls } from "./worker-urls.ts";

/**
 * Starts a worker from its own file; what it returns can be called again after the worker died.
 * @param urls the page's one policy for addresses of workers
 * @param name for whoever looks at the page's threads
 */
export function workerSpawner<To, From>(
  window: Window & typeof globalThis,
  urls: WorkerUrls,
  url: string,
  name: string,
): () => WorkerEnd<To, From> {
  return () => {
    const worker = new window.Worker(urls(url), { type: "module", name });
    return {
      postMessage: (message, transfer = []) => worker.postMessage(message, transfer),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<From>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
