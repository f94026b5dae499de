import files from "../areas/artifacts/worker/files.ts?worker&url";
import pdf from "../areas/artifacts/worker/pdf.ts?worker&url";
import compare from "../areas/runs/compare/worker/compare.ts?worker&url";
import runReader from "../areas/runs/worker/run-reader.ts?worker&url";
import bodies from "../lib/bodies/bodies.ts?worker&url";
import markdown from "../lib/markdown/worker/markdown.ts?worker&url";
import type { WorkerName } from "../lib/workers/workers.ts";

/** The file of each worker of the console. */
export const workerFiles: Readonly<Record<WorkerName, string>> = {
  "run-reader": runReader,
  bodies,
  markdown,
  compare,
  files,
  pdf,
};
