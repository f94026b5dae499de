import type { FilesPort } from "../console/areas/artifacts/worker/file-client.ts";
import type { FromFiles } from "../console/areas/artifacts/worker/file-service.ts";
import { createFileService } from "../console/areas/artifacts/worker/file-service.ts";
import { readSheets } from "../console/areas/artifacts/worker/workbook.ts";

/** Reads files without a worker; what goes to and fro is copied, as a worker's messages would be. */
export function filesPort(): FilesPort {
  let take: ((message: FromFiles) => void) | null = null;
  const service = createFileService((message) => {
    const copy = structuredClone(message);
    queueMicrotask(() => take?.(copy));
  }, readSheets);
  return {
    postMessage: (message) => void service(structuredClone(message)),
    listen(onMessage) {
      take = onMessage;
    },
    terminate() {
      take = null;
    },
  };
}
