import type { Logger } from "pino";
import { isFilesUnavailable } from "../store/store-error.ts";
import type { FileStore } from "./file-store.ts";

/** Whoever asks whether the store answers is told within this time, in milliseconds. */
const answersMs = 4_000;

export interface WatchedFiles {
  readonly files: FileStore;
  /** Whether it was not available when it was last asked for something, and is not now. */
  unavailable(): Promise<boolean>;
}

/** The same files; notes whether their store can be had, and tells the log once when that changes. */
export function watchedFiles(files: FileStore, log: Pick<Logger, "error" | "info">): WatchedFiles {
  let isAway = false;
  const failed = (error: unknown) => {
    if (!isFilesUnavailable(error)) return;
    if (!isAway) log.error({ err: error }, "the file storage is not available: what needs it waits");
    isAway = true;
  };
  const answered = () => {
    if (isAway) log.info("the file storage is available again");
    isAway = false;
  };
  async function watched<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      answered();
      return result;
    } catch (error) {
      failed(error);
      throw error;
    }
  }
  /** Only what the database names is asked for. */
  async function named<T>(fileId: string, work: Promise<T | null>): Promise<T | null> {
    const found = await watched(work);
    if (found === null) log.error({ fileId }, "a file that the database names is not in the place of files");
    return found;
  }
  let asking: Promise<unknown> | null = null;
  return {
    files: {
      ...files,
      write: (id, content) => watched(files.write(id, content)),
      read: (id, range) => named(id, files.read(id, range)),
      size: (id) => named(id, files.size(id)),
      remove: (id) => watched(files.remove(id)),
      readMark: () => watched(files.readMark()),
      writeMark: (text) => watched(files.writeMark(text)),
    },
    async unavailable() {
      if (!isAway) return false;
      asking ??= watched(files.readMark())
        .catch(() => undefined)
        .finally(() => {
          asking = null;
        });
      await withinTime(asking);
      return isAway;
    },
  };
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, answersMs);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
