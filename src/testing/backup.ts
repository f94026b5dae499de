import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { commandEntry } from "../service/audit/record.ts";
import { type BackedUp, backUp } from "../service/backup/back-up.ts";
import { openDatabase } from "../service/backup/database.ts";
import { backupKey } from "../service/backup/format.ts";
import { load } from "../service/backup/load.ts";
import { checkBackup, openBackup, secretOf } from "../service/backup/open-backup.ts";
import { fileSink } from "../service/backup/sink.ts";
import { checkTarget, prepareTarget, type Target } from "../service/backup/target.ts";
import type { FilesPlace } from "../service/config.ts";
import { openPlace } from "../service/files/open-files.ts";

export const backupSecret = "a secret that only backups of tests have";
const log = pino({ level: "silent" });
const never = new AbortController().signal;

/** A folder of a test's own. */
export function testFolder() {
  const path = mkdtempSync(join(tmpdir(), "wheelhouse-backup-"));
  return {
    path,
    in: (name: string) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** Backs a database up into a file, as the command does. @param onPiece called after each piece of it */
export async function backUpInto(
  file: string,
  { url, files, withSecret = false }: { url: string; files: FilesPlace | string; withSecret?: boolean },
  onPiece: () => Promise<void> = async () => {},
): Promise<BackedUp> {
  const sink = await fileSink(file);
  const database = await openDatabase({ databaseUrl: url, dataDirectory: "unused" }, log);
  const done = await backUp({
    ...{ client: database.client, secret: backupSecret, withSecret, version: "0.0.0-test", signal: never },
    files: openPlace(placeOf(files)),
    async put(bytes) {
      await sink.put(bytes);
      await onPiece();
    },
    onProgress() {},
  }).finally(() => database.close());
  await sink.finish();
  return done;
}

/** A folder is named by its path. */
const placeOf = (files: FilesPlace | string): FilesPlace =>
  typeof files === "string" ? { type: "folder", path: files } : files;

const restored = commandEntry({ action: "backup.restore", object: { kind: "installation", id: null } });

/** Restores a backup, as the command does. */
export async function restoreFrom(
  file: string,
  { url, files, secret = backupSecret }: { url: string; files: FilesPlace | string; secret?: string | null },
): Promise<void> {
  const target: Target = { databaseUrl: url, dataDirectory: "unused", filesAt: placeOf(files) };
  const backup = await openBackup(file);
  try {
    const given = secret === null ? null : { secret, from: "the test" };
    const key = backupKey(secretOf(backup, given));
    await checkTarget(target, log);
    const checked = await checkBackup(backup, key, () => {}, never);
    const prepared = await prepareTarget(target, log);
    const parts = { client: prepared.database.client, files: openPlace(placeOf(files)), backup, checked };
    await load({ ...parts, auditEntry: restored, onProgress() {}, signal: never }).catch(
      async (error: unknown) => {
        await prepared.undo();
        throw error;
      },
    );
    await prepared.finish(null);
  } finally {
    await backup.file.close();
  }
}
