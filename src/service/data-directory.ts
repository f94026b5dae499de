import { chmodSync, readdirSync, statSync } from "node:fs";
import type { Logger } from "pino";
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
 * it, such as that of an earlier release; what holds other things as well, such as a home directory, stays as open as somebody
 * made it: others may need what is there. `warnOfOpenDirectory` says so.
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
  if (isOpen(path) && strangers(path).length === 0) chmodSync(path, 0o700);
}

/** Whether others may look in, and this account could close it. */
function isOpen(path: string): boolean {
  const { mode, uid } = statSync(path);
  return (mode & openToOthers) !== 0 && uid === process.getuid?.();
}

/** What a file system makes itself is nobody's. */
const strangers = (path: string): string[] =>
  readdirSync(path).filter((name) => !ours.test(name) && name !== "lost+found");

/** So many of what is in the way are named. */
const mostNamed = 5;

/** Says in the log what keeps the data directory open to others; nothing where nothing does, or it is not there yet. */
export function warnOfOpenDirectory(path: string, log: Pick<Logger, "warn">): void {
  try {
    const inTheWay = isOpen(path) ? strangers(path).sort().slice(0, mostNamed) : [];
    if (inTheWay.length === 0) return;
    const rights = (statSync(path).mode & 0o777).toString(8);
    log.warn(
      { rights, inTheWay },
      `the data directory is open to other users of this machine because it holds what is not Wheelhouse's: ${inTheWay.join(", ")}. Move that away, or run chmod 700 ${path}`,
    );
  } catch {
    // What cannot be looked into is refused where it is used, with the flag to set.
  }
}

/** Lies in a data directory while something is restored into it, and for good where that did not get to its end. */
export const unfinishedMark = "restore-unfinished";
