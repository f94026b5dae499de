import { workerSpawner } from "../worker-spawner.ts";
import type { WorkerUrls } from "../worker-urls.ts";
import compareUrl from "./compare.ts?worker&url";
import type { FromComparer, ToComparer } from "./compare-messages.ts";

export { compareUrl };

/** Starts the worker that compares logs, from its own file. `urls` is the page's one policy for addresses of workers. */
export const compareSpawner = (window: Window & typeof globalThis, urls: WorkerUrls) =>
  workerSpawner<ToComparer, FromComparer>(window, urls, compareUrl, "compare");
