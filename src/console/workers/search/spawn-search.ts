import { workerSpawner } from "../worker-spawner.ts";
import type { WorkerUrls } from "../worker-urls.ts";
import searchUrl from "./search.ts?worker&url";
import type { FromSearch, ToSearch } from "./search-messages.ts";

export { searchUrl };

/** Starts the worker that searches everything, from its own file. `urls` is the page's one policy for addresses of workers. */
export const searchSpawner = (window: Window & typeof globalThis, urls: WorkerUrls) =>
  workerSpawner<ToSearch, FromSearch>(window, urls, searchUrl, "search");
