import type { WorkerEnd } from "./worker-seat.ts";
import type { WorkerUrls } from "./worker-urls.ts";

/** The console's workers; the entry of a page says which file each of them is. */
export type WorkerName = "run-reader" | "bodies" | "markdown" | "compare" | "files" | "search" | "pdf";

/** Starts workers by their names. */
export interface Workers {
  /**
   * Starts a worker whose client knows what it takes and what it says.
   * @throws where this page has no such worker, or the browser starts none
   */
  start<To, From>(name: WorkerName): WorkerEnd<To, From>;
  /** The same as the browser's own object, for libraries that talk to it themselves. */
  startPlain(name: WorkerName): Worker;
}

/**
 * The workers of one page, each started from its own file.
 * @param urls the page's one policy for addresses of workers
 * @param files the address of each worker that this page has
 */
export function workersOf(
  window: Window & typeof globalThis,
  urls: WorkerUrls,
  files: Partial<Record<WorkerName, string>>,
): Workers {
  function startPlain(name: WorkerName): Worker {
    const url = files[name];
    if (url === undefined) throw new Error(`This page has no worker ${name}`);
    // Named for whoever looks at the page's threads.
    return new window.Worker(urls(url), { type: "module", name });
  }
  return {
    startPlain,
    start<To, From>(name: WorkerName): WorkerEnd<To, From> {
      const worker = startPlain(name);
      return {
        postMessage: (message, transfer = []) => worker.postMessage(message, transfer),
        terminate: () => worker.terminate(),
        listen(onMessage, onDeath) {
          worker.addEventListener("message", ({ data }: MessageEvent<From>) => onMessage(data));
          worker.addEventListener("error", onDeath);
          worker.addEventListener("messageerror", onDeath);
        },
      };
    },
  };
}
