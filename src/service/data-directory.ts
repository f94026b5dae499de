import { chmodSync, readdirSync, statSync } from "node:fs";
import { makeFolder } from "./make-folder.ts";

/** What the service itself has in its data directory. */
const ours = /^(?:postgres|files|secret(?:\.[0-9a-f]{12})?|wheelhouse\.log|restore-unfinished)$/;

/** Rights of others: all but that a group may pass through, which root gives the database's account. */
const openToOthers = 0o067;

/** The data directory, or what lies in it, cannot be used. The message is one line that names the setting. */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";

  /** @param path of what was to be read or made @param cause the system's error */
  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    super(`--data: ${path} cannot be used (${code}): name a folder that this account may write to`, {
      cause,
    });
  }
}

/**
 * Makes the data directory, for its owner alone. One that is there and open to others is closed where nothing but ours is in
 * it, such as that of an earlier release; what holds other things as well stays as open as somebody made it.
 * @throws DataDirectoryError where it cannot be made or read
 */
export function makeDataDirectory(path: string): void {
  try {
    makeAndClose(path);
  } catch (error) {
    throw new DataDirectoryError(path, error);
  }
}

function makeAndClose(path: string): void {
  makeFolder(path, 0o700, 0o777);
  const found = statSync(path);
  const isOpen = (found.mode & openToOthers) !== 0 && found.uid === process.getuid?.();
  if (isOpen && readdirSync(path).every((name) => ours.test(name))) chmodSync(path, 0o700);
}

/** Lies in a data directory while something is restored into it, and for good where that did not get to its end. */
export const unfinishedMark = "restore-unfinished";
