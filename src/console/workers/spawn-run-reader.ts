import type { FromWorker } from "./run-messages.ts";
import runReaderUrl from "./run-reader.ts?worker&url";
import type { Port } from "./run-reader-client.ts";
import type { WorkerUrls } from "./worker-urls.ts";

export { runReaderUrl };

/**
 * Starts the run reader's worker from its own file; the function that it returns can be called again after a worker
 * died. `urls` is the page's one policy for addresses of workers.
 */
export function runReaderSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => Port {
  return () => {
    const worker = new window.Worker(urls(runReaderUrl), { type: "module", name: "run-reader" });
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
