import type { FromWorker } from "./run-messages.ts";
import runReaderUrl from "./run-reader.ts?worker&url";
import type { Port } from "./run-reader-client.ts";
import { workerUrls } from "./worker-urls.ts";

/**
 * Starts the run reader's worker from its own file, through the page's one Trusted Types policy. Call it once per page;
 * the function that it returns can be called again after a worker died.
 */
export function runReaderSpawner(window: Window & typeof globalThis): () => Port {
  const urls = workerUrls(window, [runReaderUrl]);
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
