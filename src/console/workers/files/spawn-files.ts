import { workerSpawner } from "../worker-spawner.ts";
import type { WorkerUrls } from "../worker-urls.ts";
import type { FromFiles, ToFiles } from "./file-messages.ts";
import filesUrl from "./files.ts?worker&url";

export { filesUrl };

/** Starts the worker that reads files, from its own file. `urls` is the page's one policy for addresses of workers. */
export const filesSpawner = (window: Window & typeof globalThis, urls: WorkerUrls) =>
  workerSpawner<ToFiles, FromFiles>(window, urls, filesUrl, "files");
