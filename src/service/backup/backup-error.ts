/**
 * Why there is no backup, or why one is not restored:
 * - `no_source`: there is nothing to back up, or its secret is not there
 * - `foreign`: the file is no backup of Wheelhouse
 * - `newer`: a newer release made it
 * - `truncated`: its end is missing
 * - `altered`: it is not what was written
 * - `wrong_secret`: it was made with another secret
 * - `missing_secret`: no secret was given, and the file has none
 * - `not_empty`: something lies where it would be restored to
 * - `unsuitable`: the database that it would be restored to cannot take it
 * - `unreadable`: the file, or a file that belongs into it, cannot be read
 * - `unwritable`: something cannot be written where it was to be
 * - `in_doubt`: the database was lost at the very end, and may have all of it
 * - `stopped`: whoever started it has stopped it
 */
export type BackupFailure =
  | "no_source"
  | "foreign"
  | "newer"
  | "truncated"
  | "altered"
  | "wrong_secret"
  | "missing_secret"
  | "not_empty"
  | "unsuitable"
  | "unreadable"
  | "unwritable"
  | "in_doubt"
  | "stopped";

/** A backup was not made, or not restored. The message is one line that says what it is about and what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
  readonly kind: BackupFailure;

  constructor(kind: BackupFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
