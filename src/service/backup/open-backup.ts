import { type FileHandle, open } from "node:fs/promises";
import { migrations } from "../store/migrations/index.ts";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import type { Progress } from "./back-up.ts";
import { BackupError } from "./backup-error.ts";
import { type BackupKey, backupKey, type Header, type Totals } from "./format.ts";
import { altered, readFrames } from "./read-frames.ts";

/** A backup whose first part is read. */
export interface OpenedBackup {
  readonly file: FileHandle;
  /** Bytes. */
  readonly size: number;
  readonly header: Header;
}

/**
 * Opens a backup that this release can restore. Whoever gets it closes the file.
 * @throws BackupError `unreadable`, `foreign`, `newer`, `truncated`, `altered`
 */
export async function openBackup(path: string): Promise<OpenedBackup> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    const why = codeOf(error) === "ENOENT" ? "there is no such file" : sentenceOf(error);
    throw new BackupError("unreadable", `${path} cannot be read: ${why}.`, error);
  }
  try {
    const { size } = await file.stat();
    for await (const piece of readFrames(file)) {
      if (piece.type !== "header") break;
      const { header } = piece;
      const known = new Set(migrations.map(({ name }) => name));
      const unknown = header.migrations.filter((name) => !known.has(name));
      if (unknown.length > 0)
        throw new BackupError(
          "newer",
          `A newer release of Wheelhouse (${header.version}) made this backup: restore it with that release. This one does not know ${unknown.join(", ")}.`,
        );
      return { file, size, header };
    }
    throw altered("its header");
  } catch (error) {
    await file.close();
    throw codeOf(error) === "EISDIR" ? new BackupError("foreign", `${path} is a folder.`, error) : error;
  }
}

/** The end of a backup of which all was read. */
export interface CheckedBackup {
  readonly totals: Totals;
  readonly mac: string;
}

/** Where a secret comes from. */
export interface GivenSecret {
  readonly secret: string;
  /** Such as `WHEELHOUSE_SECRET`. */
  readonly from: string;
}

/**
 * The secret that a backup was made with.
 * @param given what this machine has; it goes before what the backup has
 * @throws BackupError `wrong_secret`, `missing_secret`
 */
export function secretOf({ header }: OpenedBackup, given: GivenSecret | null): string {
  const secret = given?.secret ?? header.secret;
  if (secret === null)
    throw new BackupError(
      "missing_secret",
      "This backup needs the secret of the installation that it is of, and does not hold it: set WHEELHOUSE_SECRET, or put the file secret into the data directory. Where it is lost: --new-secret.",
    );
  if (backupKey(secret).id === header.key_id) return secret;
  const from = given?.from ?? "the backup";
  throw new BackupError(
    "wrong_secret",
    `The secret in ${from} is not the one that this backup was made with: give that one. Where it is lost: --new-secret.`,
  );
}

/**
 * Reads all of a backup and writes nothing: every byte is what was written, and whoever wrote it had the secret.
 * @param key null: the secret is lost; what was changed on purpose is not seen then
 * @throws BackupError `truncated`, `altered`; the signal's reason
 */
export async function checkBackup(
  { file, size }: OpenedBackup,
  key: BackupKey | null,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<CheckedBackup> {
  let parts = 0;
  const report = (bytes: number) => onProgress({ doing: "checking", bytes, done: bytes, of: size });
  for await (const piece of readFrames(file, report)) {
    signal.throwIfAborted();
    if (piece.type === "part") parts++;
    if (piece.type !== "end") continue;
    const { totals, mac, before } = piece;
    if (parts !== totals.tables + totals.files) throw altered("the number of its parts");
    if (key !== null && !key.verify(before, totals, mac)) throw altered("the seal at its end");
    return { totals, mac };
  }
  throw altered("its end");
}
