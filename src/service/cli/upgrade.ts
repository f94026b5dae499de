import { tmpdir } from "node:os";
import pino from "pino";
import { recordCommand } from "../audit/record.ts";
import { BackupError } from "../backup/backup-error.ts";
import { hasDatabase, openDatabase } from "../backup/database.ts";
import type { Config } from "../config.ts";
import { countText } from "../count-text.ts";
import { pendingMigrations } from "../store/migrate.ts";
import type { Migration } from "../store/migrations/index.ts";
import { schemaNumber } from "../store/schema-number.ts";
import { openStore } from "../store/store.ts";
import { type Rehearsal, rehearse } from "../upgrade/rehearse.ts";
import { sayFailure } from "./backup-failure.ts";
import type { UpgradeCommand } from "./parse-upgrade.ts";
import { createProgress, sizeText, standardError } from "./progress.ts";
import { abortOnSignals } from "./signals.ts";
import { storeOptions } from "./start.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse upgrade`: brings the schema up to date without starting the service, or with `--check` says on a copy how long
 * that takes and what it locks. Beside a running service or without one.
 * @returns the exit code: 1 where it failed or would fail; the database is then as it was
 */
export async function upgrade(config: Config, command: UpgradeCommand, terminal: Terminal): Promise<number> {
  try {
    if (config.databaseUrl === null && !hasDatabase(config.dataDirectory))
      throw new BackupError("no_source", `There is no database in ${config.dataDirectory}: look at --data.`);
    return command.check ? await check(config, command, terminal) : await apply(config, command, terminal);
  } catch (error) {
    return sayFailure(error, command.json, terminal);
  }
}

async function check(config: Config, { copy, json }: UpgradeCommand, { print }: Terminal): Promise<number> {
  const log = pino({ level: "silent" });
  const words = "Stopped: the copy was removed, and nothing else was changed.";
  const signal = abortOnSignals(log, new BackupError("stopped", words));
  const progress = createProgress(standardError);
  const rehearsal = await rehearse({
    ...{ source: config, folder: copy ?? tmpdir(), log, signal },
    onProgress: ({ tables, of, bytes }) => progress.report({ doing: "rows", done: tables, of, bytes }),
  }).finally(() => progress.end());
  if (json)
    print(
      JSON.stringify({ ok: true, schema: schemaNumber, steps: rehearsal.steps, copied: rehearsal.copied }),
    );
  else for (const line of linesOf(rehearsal)) print(line);
  return 0;
}

/** Such as `1.3 s`; what is shorter than a tenth is told in ms. */
const secondsText = (seconds: number) =>
  seconds < 0.1 ? `${Math.ceil(seconds * 1_000)} ms` : `${seconds.toFixed(1)} s`;

const upToDate = `Nothing is pending: the schema is ${schemaNumber}, that of this release.`;

function linesOf({ steps, copied }: Rehearsal): readonly string[] {
  if (copied === null) return [upToDate];
  const width = Math.max(...steps.map(({ name }) => name.length)) + 2;
  const all = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    `Tried on a copy of ${countText(copied.tables, "table")}, ${sizeText(copied.bytes)}, made in ${secondsText(copied.seconds)}:`,
    ...steps.flatMap(({ name, seconds, beside, locks }) => [
      `  ${name.padEnd(width)}${secondsText(seconds)}`,
      ...locks.map((lock) => `    ${lock.waiting} of ${lock.table} wait up to ${secondsText(lock.seconds)}`),
      ...(beside === null ? [] : [`    then, in steps beside the service: ${beside}`]),
    ]),
    `Schema ${schemaNumber} after ${secondsText(all)}. The copy is removed, and nothing was changed.`,
  ];
}

async function apply(config: Config, { json }: UpgradeCommand, { print }: Terminal): Promise<number> {
  const log = pino({ level: "silent" });
  const pending = await pendingOf(config, log);
  const begun = performance.now();
  const store = await openStore({ ...storeOptions(config), log });
  try {
    const seconds = (performance.now() - begun) / 1_000;
    const names = pending.map(({ name }) => name);
    if (names.length > 0) {
      const object = { kind: "installation", id: null, name: `schema ${schemaNumber}` } as const;
      await store.db.transaction().execute((tx) => recordCommand(tx, { action: "schema.upgrade", object }));
    }
    if (json) print(JSON.stringify({ ok: true, schema: schemaNumber, applied: names, seconds }));
    else if (names.length === 0) print(upToDate);
    else print(`Schema ${schemaNumber} after ${secondsText(seconds)}: ${names.join(", ")}`);
    return 0;
  } finally {
    await store.close();
  }
}

async function pendingOf(config: Config, log: pino.Logger): Promise<readonly Migration[]> {
  const database = await openDatabase(config, log);
  try {
    return await pendingMigrations(database.client);
  } finally {
    await database.close();
  }
}
