import { workerSpawner } from "../worker-spawner.ts";
import type { WorkerUrls } from "../worker-urls.ts";
import bodiesUrl from "./bodies.ts?worker&url";
import type { FromBodies, ToBodies } from "./body-messages.ts";

export { bodiesUrl };

/** Starts the worker that reads big answers, from its own file. `urls` is the page's one policy for addresses of workers. */
export const bodiesSpawner = (window: Window & typeof globalThis, urls: WorkerUrls) =>
  workerSpawner<ToBodies, FromBodies>(window, urls, bodiesUrl, "bodies");
