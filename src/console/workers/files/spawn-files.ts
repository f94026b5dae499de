import type { WorkerUrls } from "../worker-urls.ts";
import type { FromFiles } from "./file-messages.ts";
import filesUrl from "./files.ts?worker&url";
import type { FilesPort } from "./files-client.ts";

export { filesUrl };

/** Starts the worker that reads files, from its own file. `urls` is the page's one policy for addresses of workers. */
export function filesSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => FilesPort {
  return () => {
    const worker = new window.Worker(urls(filesUrl), { type: "module", name: "files" });
    return {
      postMessage: (message, transfer) => worker.postMessage(message, transfer),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<FromFiles>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
