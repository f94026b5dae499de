import type { WorkerUrls } from "../worker-urls.ts";
import pdfUrl from "./pdf.ts?worker&url";

export { pdfUrl };

/** Starts the worker that reads PDF files. `urls` is the page's one policy for addresses of workers. */
export function pdfSpawner(window: Window & typeof globalThis, urls: WorkerUrls): () => Worker {
  return () => new window.Worker(urls(pdfUrl), { type: "module", name: "pdf" });
}
