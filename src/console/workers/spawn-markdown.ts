import markdownUrl from "./markdown.ts?worker&url";
import type { FromMarkdownWorker, MarkdownQuestion } from "./markdown-messages.ts";
import { workerSpawner } from "./worker-spawner.ts";
import type { WorkerUrls } from "./worker-urls.ts";

export { markdownUrl };

/** Starts the worker that reads markdown, from its own file. `urls` is the page's one policy for addresses of workers. */
export const markdownSpawner = (window: Window & typeof globalThis, urls: WorkerUrls) =>
  workerSpawner<MarkdownQuestion, FromMarkdownWorker>(window, urls, markdownUrl, "markdown");
