import type { FromWorker, ToWorker } from "./run-messages.ts";
import runReaderUrl from "./run-reader.ts?worker&url";
import { workerSpawner } from "./worker-spawner.ts";
import type { WorkerUrls } from "./worker-urls.ts";

export { runReaderUrl };

/** Starts the run reader's worker from its own file. `urls` is the page's one policy for addresses of workers. */
export const runReaderSpawner = (window: Window & typeof globalThis, urls: WorkerUrls) =>
  workerSpawner<ToWorker, FromWorker>(window, urls, runReaderUrl, "run-reader");
