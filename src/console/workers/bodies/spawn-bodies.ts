import type { WorkerUrls } from "../worker-urls.ts";
import bodiesUrl from "./bodies.ts?worker&url";
import type { BodyPort } from "./body-client.ts";
import type { FromBodies } from "./body-messages.ts";

export { bodiesUrl };

/** Starts the worker that reads big answers, from its own file. `urls` is the page's one policy for addresses of workers. */
export function bodiesSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => BodyPort {
  return () => {
    const worker = new window.Worker(urls(bodiesUrl), { type: "module", name: "bodies" });
    return {
      postMessage: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<FromBodies>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
