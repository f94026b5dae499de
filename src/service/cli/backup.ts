import { existsSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import pino from "pino";
import { commandEntry } from "../audit/record.ts";
import { type BackedUp, backUp } from "../backup/back-up.ts";
import { BackupError } from "../backup/backup-error.ts";
import { hasDatabase, openDatabase } from "../backup/database.ts";
import { fileSink, streamSink } from "../backup/sink.ts";
import { createThrottle } from "../backup/throttle.ts";
import type { Config } from "../config.ts";
import { countText } from "../count-text.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { openFiles } from "../files/open-files.ts";
import { sayFailure } from "./backup-failure.ts";
import type { BackupCommand } from "./parse-backup.ts";
import { createProgress, rounded, sizeText, standardError } from "./progress.ts";
import { abortOnSignals } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse backup FILE`, beside a running service or without one.
 * @returns the exit code: 1 where there is no backup; 3 where there is one, without files that the database names
 */
export async function backup(config: Config, command: BackupCommand, terminal: Terminal): Promise<number> {
  const log = pino({ level: "silent" });
  const signal = abortOnSignals(log, new BackupError("stopped", "Stopped: nothing of the backup was kept."));
  const { file, withSecret, rate, json } = command;
  const progress = createProgress(standardError);
  const begun = performance.now();
  try {
    const secret = secretOfSource(config);
    if (file === null && process.stdout.isTTY)
      throw new BackupError("unwritable", "A backup is no text: send it into a pipe, or name a file.");
    const sink = file === null ? streamSink(process.stdout) : await fileSink(file);
    try {
      const database = await openDatabase(config, log);
      const throttle = createThrottle(rate, signal);
      const make = async () => {
        await recordBackup(database.client, file);
        return await backUp({
          ...{ client: database.client, secret, withSecret, signal, version: config.version },
          files: openFiles(config),
          async put(bytes) {
            await throttle(bytes.length);
            await sink.put(bytes);
          },
          onProgress: progress.report,
        });
      };
      const done = await make().finally(() => database.close());
      await sink.finish();
      progress.end();
      return say(done, (performance.now() - begun) / 1_000, command, terminal);
    } catch (error) {
      await sink.undo();
      throw error;
    }
  } catch (error) {
    progress.end();
    return sayFailure(error, json, terminal);
  }
}

/** Before it is made, so that the copy knows of itself. What is no Wheelhouse, or an older one, has no audit log. */
async function recordBackup(client: pg.Client, file: string | null): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('audit_pending') is not null as there",
  );
  if (rows[0]?.there !== true) return;
  const object = { kind: "installation", id: null, name: file } as const;
  await client.query("insert into audit_pending (entry) values ($1::json)", [
    commandEntry({ action: "backup.create", object }),
  ]);
}

/** @throws BackupError `no_source`, rather than making a secret or a database that nothing was ever written with */
function secretOfSource(config: Config): string {
  const { dataDirectory, databaseUrl } = config;
  if (databaseUrl === null && !hasDatabase(dataDirectory))
    throw new BackupError("no_source", `There is no database in ${dataDirectory}: look at --data.`);
  if (config.secret === null && !existsSync(join(dataDirectory, "secret")))
    throw new BackupError(
      "no_source",
      `There is no secret in ${dataDirectory}: set WHEELHOUSE_SECRET to that of the service, or look at --data.`,
    );
  return readServiceSecret(config);
}

function say(
  { written, bytes, tables, files, missing, missingIds, migrations }: BackedUp,
  seconds: number,
  { file, withSecret, json }: BackupCommand,
  { print, complain }: Terminal,
): number {
  const code = missing === 0 ? 0 : 3;
  if (json) {
    const schema = migrations.at(-1) ?? null;
    const counts = { bytes: written, unpacked_bytes: bytes, tables, files, missing_files: missing };
    print(
      JSON.stringify({
        ok: code === 0,
        file,
        ...counts,
        schema,
        with_secret: withSecret,
        seconds: rounded(seconds),
      }),
    );
  }
  const line = file === null || json ? complain : print;
  const where = file === null ? "" : ` in ${file}`;
  line(
    `Backed up ${countText(tables, "table")} and ${countText(files, "file")}, ${sizeText(bytes)}, as ${sizeText(written)}${where}, in ${seconds.toFixed(1)} s.`,
  );
  if (withSecret) {
    complain(
      "THE BACKUP HOLDS THE SECRET: whoever reads it can sign links and open the stored sign-ins of MCP servers.",
    );
  } else line("The secret is not in it: keep it elsewhere. Without it, stored sign-ins and links are lost.");
  if (missing > 0) {
    const some = missingIds.join(", ") + (missing > missingIds.length ? ", …" : "");
    complain(
      `${countText(missing, "file")} that the database names: not in the folder of files, and so not in the backup: ${some}`,
    );
  }
  return code;
}
