/// <reference lib="webworker" />

import type { ToFiles } from "./file-service.ts";
import { createFileService } from "./file-service.ts";

// A module worker: a file may be anything, and what it takes to read it costs this thread, not the page (C-09, C-10).
const scope = self as unknown as DedicatedWorkerGlobalScope;
const take = createFileService(
  (message, transfer) => scope.postMessage(message, transfer),
  async (bytes) => (await import("./workbook.ts")).readSheets(bytes),
);
scope.addEventListener("message", ({ data }: MessageEvent<ToFiles>) => void take(data));
