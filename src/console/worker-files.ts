import bodies from "./workers/bodies/bodies.ts?worker&url";
import compare from "./workers/compare/compare.ts?worker&url";
import files from "./workers/files/files.ts?worker&url";
import markdown from "./workers/markdown.ts?worker&url";
import pdf from "./workers/pdf/pdf.ts?worker&url";
import runReader from "./workers/run-reader.ts?worker&url";
import search from "./workers/search/search.ts?worker&url";
import type { WorkerName } from "./workers/workers.ts";

/** The file of each worker of the console. */
export const workerFiles: Readonly<Record<WorkerName, string>> = {
  "run-reader": runReader,
  bodies,
  markdown,
  compare,
  files,
  search,
  pdf,
};
