/**
 * Why the database cannot be had, for the person who started the service:
 * - `embedded_missing`: no PostgreSQL comes with this platform's install
 * - `unusable_place`: a folder cannot be entered, written, or holds something else
 * - `wrong_version`: the data were written by another PostgreSQL or by a newer release of the service
 * - `start_failed`: PostgreSQL did not come up
 * - `migration_failed`: the schema could not be brought up to date; the database is as it was
 * - `unreachable`: the database named by DATABASE_URL does not answer
 */
export type StoreErrorKind =
  | "embedded_missing"
  | "unusable_place"
  | "wrong_version"
  | "start_failed"
  | "migration_failed"
  | "unreachable";

/** The message is one line that says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** @returns the `code` of a system or PostgreSQL error (`ENOENT`, `57P01`), else undefined */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** @returns what the error says, on one line */
export function sentenceOf(error: unknown): string {
  // Connecting to a host with two addresses fails with an AggregateError whose own message is empty.
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join("; ");
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
}

/** What was thrown, what caused it, and so on: five at most, as nothing says that they come to an end. */
export function causesOf(thrown: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let error = thrown; error !== undefined && causes.length < 5; ) {
    causes.push(error);
    error = error instanceof Error ? error.cause : undefined;
  }
  return causes;
}

/** For a run or conversation that is read piece by piece: the rest of it is not there any more. */
export function removedMeanwhile(id: string): Error {
  return new Error(`${id} was removed while it was read`);
}

/** What pg's pool says where nobody has given a connection back in time. */
export const noConnectionMessage = "timeout exceeded when trying to connect";

const lostConnection = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "53200",
  "53300",
  "25006",
]);

const outOfRoom = new Set(["ENOSPC", "EDQUOT", "EROFS", "53100"]);

/** Whether something could not be written because a disk is full or takes nothing: of the files or of the database. */
export function isOutOfRoom(thrown: unknown): boolean {
  return causesOf(thrown).some((error) => outOfRoom.has(codeOf(error) ?? ""));
}

/** The code of an error of an object store that cannot be used now, and may be later. */
export const filesUnavailable = "FILES_UNAVAILABLE";

/** Whether bytes could not be written or read because their store is away, or refuses us until somebody sets it right. */
export function isFilesUnavailable(thrown: unknown): boolean {
  return causesOf(thrown).some((error) => codeOf(error) === filesUnavailable);
}

/** Whether a prepared statement is refused because a migration has changed what it gives; the statement itself is right. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === "0A000" && /^cached plan must not change/.test(sentenceOf(error));
}

/**
 * Whether a query failed because the database is away or busy, not because of what was asked: the same work may be
 * tried again later. Includes deadlocks and serialization failures, and a disk of the database's that is full.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "53100") return true;
  if (code !== undefined && (lostConnection.has(code) || code.startsWith("08") || code.startsWith("40"))) {
    return true;
  }
  if (isStalePlan(error)) return true;
  // pg has no code for these.
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after|Connection ended)/.test(
      error.message,
    )
  );
}
