import type { WorkerUrls } from "../worker-urls.ts";
import searchUrl from "./search.ts?worker&url";
import type { SearchPort } from "./search-client.ts";
import type { FromSearch } from "./search-messages.ts";

export { searchUrl };

/** Starts the worker that searches everything, from its own file. `urls` is the page's one policy for addresses of workers. */
export function searchSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => SearchPort {
  return () => {
    const worker = new window.Worker(urls(searchUrl), { type: "module", name: "search" });
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<FromSearch>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
