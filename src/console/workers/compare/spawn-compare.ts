import type { WorkerUrls } from "../worker-urls.ts";
import compareUrl from "./compare.ts?worker&url";
import type { ComparePort } from "./compare-client.ts";
import type { FromComparer } from "./compare-messages.ts";

export { compareUrl };

/** Starts the worker that compares logs, from its own file. `urls` is the page's one policy for addresses of workers. */
export function compareSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => ComparePort {
  return () => {
    const worker = new window.Worker(urls(compareUrl), { type: "module", name: "compare" });
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<FromComparer>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
