import { makeFileDesk } from "../console/workers/files/file-desk.ts";
import type { FromFiles } from "../console/workers/files/file-messages.ts";
import type { FilesPort } from "../console/workers/files/files-client.ts";
import { readSheets } from "../console/workers/files/workbook.ts";

/** Reads files without a worker; what goes to and fro is copied, as a worker's messages would be. */
export function filesPort(): FilesPort {
  let take: ((message: FromFiles) => void) | null = null;
  const desk = makeFileDesk((message) => {
    const copy = structuredClone(message);
    queueMicrotask(() => take?.(copy));
  }, readSheets);
  return {
    postMessage: (message) => void desk(structuredClone(message)),
    listen(onMessage) {
      take = onMessage;
    },
    terminate() {
      take = null;
    },
  };
}
