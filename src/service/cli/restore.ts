import { existsSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { commandEntry } from "../audit/record.ts";
import { BackupError } from "../backup/backup-error.ts";
import { backupKey, type Totals } from "../backup/format.ts";
import { load } from "../backup/load.ts";
import {
  checkBackup,
  type GivenSecret,
  type OpenedBackup,
  openBackup,
  secretOf,
} from "../backup/open-backup.ts";
import { checkTarget, prepareTarget } from "../backup/target.ts";
import type { Config } from "../config.ts";
import { countText } from "../count-text.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { openFiles, placeText } from "../files/open-files.ts";
import { sayFailure } from "./backup-failure.ts";
import type { RestoreCommand } from "./parse-backup.ts";
import { createProgress, rounded, sizeText, standardError } from "./progress.ts";
import { abortOnSignals } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse restore FILE`: makes an installation of a backup, where there is none. All that may be wrong with the file or
 * the place is looked for before anything is written.
 * @returns the exit code: 1 where nothing was restored, and nothing is left of it; or where nobody can tell, which it says
 */
export async function restore(config: Config, command: RestoreCommand, terminal: Terminal): Promise<number> {
  const { file, check, newSecret, json } = command;
  const log = pino({ level: "silent" });
  const signal = abortOnSignals(
    log,
    new BackupError("stopped", "Stopped: nothing of the backup was restored."),
  );
  const progress = createProgress(standardError);
  const begun = performance.now();
  try {
    const backup = await openBackup(file);
    try {
      const secret = newSecret ? null : secretOf(backup, givenSecret(config));
      if (!check) await checkTarget(config, log);
      const key = secret === null ? null : backupKey(secret);
      const checked = await checkBackup(backup, key, progress.report, signal);
      if (!check) {
        const target = await prepareTarget(config, log);
        try {
          await load({
            ...{ client: target.database.client, backup, checked, signal },
            files: openFiles(config),
            auditEntry: commandEntry({
              action: "backup.restore",
              object: { kind: "installation", id: null, name: file },
            }),
            onProgress: progress.report,
          });
        } catch (error) {
          const inDoubt = error instanceof BackupError && error.kind === "in_doubt";
          const isThere = inDoubt ? await target.hasAll() : false;
          if (isThere === null) throw error;
          if (!isThere) await target.undo();
          if (!isThere) throw inDoubt ? error.cause : error;
        }
        await target.finish(config.secret === null ? secret : null);
      }
      progress.end();
      say(
        { backup, totals: checked.totals, seconds: (performance.now() - begun) / 1_000 },
        config,
        command,
        terminal,
      );
      return 0;
    } finally {
      await backup.file.close();
    }
  } catch (error) {
    progress.end();
    return sayFailure(error, json, terminal);
  }
}

/** What this machine has; null: nothing, and none is made. */
function givenSecret(config: Config): GivenSecret | null {
  if (config.secret !== null) return { secret: config.secret, from: "WHEELHOUSE_SECRET" };
  const path = join(config.dataDirectory, "secret");
  return existsSync(path) ? { secret: readServiceSecret(config), from: path } : null;
}

interface Restored {
  readonly backup: OpenedBackup;
  readonly totals: Totals;
  readonly seconds: number;
}

function say(
  { backup: { header, size }, totals: { tables, files, bytes, missing }, seconds }: Restored,
  { dataDirectory, databaseUrl, filesAt }: Config,
  { file, check, newSecret, json }: RestoreCommand,
  { print, complain }: Terminal,
): void {
  const { made_at, version } = header;
  if (json) {
    const counts = { bytes: size, unpacked_bytes: bytes, tables, files, missing_files: missing };
    print(
      JSON.stringify({
        ok: true,
        file,
        made_at,
        version,
        ...counts,
        restored: !check,
        paused: !check,
        seconds: rounded(seconds),
      }),
    );
    return;
  }
  const what = `${countText(tables, "table")} and ${countText(files, "file")}, ${sizeText(bytes)}, of ${made_at} (Wheelhouse ${version})`;
  if (missing > 0)
    complain(`${countText(missing, "file")} that the database names: not there when the backup was made.`);
  if (newSecret)
    complain("Whether someone changed the backup on purpose was not looked at: that takes its secret.");
  if (check) {
    print(`The backup is whole: ${what}. Checked in ${seconds.toFixed(1)} s.`);
    return;
  }
  print(`Restored ${what}, in ${seconds.toFixed(1)} s.`);
  print(
    databaseUrl === null
      ? `Data: ${dataDirectory}`
      : `Data: the database of DATABASE_URL, and ${placeText(filesAt)}`,
  );
  print(
    "It is PAUSED: started, it shows everything and runs nothing, deletes nothing and asks nobody outside.",
  );
  const flags = databaseUrl === null ? ` --data ${dataDirectory}` : "";
  print(`When the installation that it is of runs no more: wheelhouse resume${flags}`);
}
