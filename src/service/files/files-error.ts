import { filesUnavailable } from "../store/store-error.ts";

/**
 * Why an object store did not do what was asked:
 * - `unavailable`: it is not reached, does not answer in time, or is too busy; the same may work later
 * - `refused`: a key, a right, a bucket, a region or a clock is wrong; it works when somebody has set that right
 * - `full`: it has no room left
 * - `damaged`: the bytes are not those that were written
 */
export type FilesFailure = "unavailable" | "refused" | "full" | "damaged";

const codes: Readonly<Record<FilesFailure, string>> = {
  unavailable: filesUnavailable,
  refused: filesUnavailable,
  full: "ENOSPC",
  damaged: "FILES_DAMAGED",
};

/** The message is one line without secrets: what is wrong, and what to do about it. */
export class FilesError extends Error {
  override readonly name = "FilesError";
  readonly kind: FilesFailure;
  /** For `isFilesUnavailable` and `isOutOfRoom` of the store. */
  readonly code: string;
  /** A sentence without the full stop. */
  readonly found: string;
  /** What to do, as a sentence without the full stop. */
  readonly action: string;

  constructor(kind: FilesFailure, found: string, action: string, cause?: unknown) {
    super(`${found}. ${action}.`, { cause });
    this.kind = kind;
    this.code = codes[kind];
    this.found = found;
    this.action = action;
  }
}
