import markdownUrl from "./markdown.ts?worker&url";
import type { MarkdownPort } from "./markdown-client.ts";
import type { FromMarkdownWorker } from "./markdown-messages.ts";
import type { WorkerUrls } from "./worker-urls.ts";

export { markdownUrl };

/** Starts the worker that reads markdown, from its own file. `urls` is the page's one policy for addresses of workers. */
export function markdownSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => MarkdownPort {
  return () => {
    const worker = new window.Worker(urls(markdownUrl), { type: "module", name: "markdown" });
    return {
      postMessage: (question) => worker.postMessage(question),
      terminate: () => worker.terminate(),
      listen(onMessage, onDeath) {
        worker.addEventListener("message", ({ data }: MessageEvent<FromMarkdownWorker>) => onMessage(data));
        worker.addEventListener("error", onDeath);
        worker.addEventListener("messageerror", onDeath);
      },
    };
  };
}
