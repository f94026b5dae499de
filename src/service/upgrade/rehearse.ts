import { mkdtemp, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { BackupError } from "../backup/backup-error.ts";
import { type DatabasePlace, openDatabase, removeDatabase } from "../backup/database.ts";
import { applyOne, pendingMigrations, prepareRecords } from "../store/migrate.ts";
import type { Migration } from "../store/migrations/index.ts";
import { makeWorkerSchema } from "../store/worker-schema.ts";
import { type Copied, copyDatabase } from "./copy-database.ts";
import { type HeldLock, watchLocks } from "./watch-locks.ts";

/** One pending change of the schema, as it went on the copy. */
export interface RehearsedStep {
  readonly name: string;
  readonly seconds: number;
  /** What it leaves to be done in steps beside the service, while that works; null: nothing. */
  readonly beside: string | null;
  /** With how long each is held: until all that is pending is done. */
  readonly locks: readonly (HeldLock & { readonly seconds: number })[];
}

export interface Rehearsal {
  /** Empty where nothing is pending: then there was no copy. */
  readonly steps: readonly RehearsedStep[];
  readonly copied: (Copied & { readonly seconds: number }) | null;
}

export interface RehearsalParts {
  readonly source: DatabasePlace;
  /** In which folder the copy is made, and removed again. */
  readonly folder: string;
  readonly log: Logger;
  /** What this release has; for tests. */
  readonly migrations?: readonly Migration[];
  /** How much room a folder has; for tests. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  onProgress(done: { tables: number; of: number; bytes: number }): void;
  readonly signal: AbortSignal;
}

const secondsSince = (begun: number) => (performance.now() - begun) / 1_000;

/**
 * Does to a copy what the next start of this release would do to the database: on a PostgreSQL of its own, so that the
 * account of the database needs no right that it does not have. What the database has is read, nothing is changed.
 * @throws StoreError `migration_failed` where it would fail, `wrong_version`; BackupError `unsuitable` where there is no
 *   room; the signal's reason
 */
export async function rehearse(parts: RehearsalParts): Promise<Rehearsal> {
  const { source, folder, log, migrations, freeBytes = freeBytesOf, onProgress, signal } = parts;
  const from = await openDatabase(source, log);
  let data: string | null = null;
  try {
    const pending = await pendingMigrations(from.client, migrations);
    if (pending.length === 0) return { steps: [], copied: null };
    await checkRoom(from.client, folder, await freeBytes(folder));
    data = await mkdtemp(join(folder, "wheelhouse-upgrade-"));
    const to = await openDatabase({ databaseUrl: null, dataDirectory: data }, log);
    try {
      await makeWorkerSchema(to.connection, log);
      const begun = performance.now();
      const copied = await copyDatabase(from.client, to.client, onProgress, signal);
      const seconds = secondsSince(begun);
      return { steps: await tryOut(to.client, pending, signal), copied: { ...copied, seconds } };
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
    if (data !== null) {
      await removeDatabase(data);
      await rm(data, { recursive: true, force: true });
    }
  }
}

type Client = Awaited<ReturnType<typeof openDatabase>>["client"];

/** As `migrate` does it: all in one transaction. */
async function tryOut(
  client: Client,
  pending: readonly Migration[],
  signal: AbortSignal,
): Promise<RehearsedStep[]> {
  await client.query("begin");
  await prepareRecords(client);
  const newLocks = await watchLocks(client);
  const begun = performance.now();
  const steps: {
    name: string;
    beside: string | null;
    from: number;
    to: number;
    locks: readonly HeldLock[];
  }[] = [];
  for (const migration of pending) {
    signal.throwIfAborted();
    const from = secondsSince(begun);
    await applyOne(client, migration);
    const { name, beside = null } = migration;
    steps.push({ name, beside, from, to: secondsSince(begun), locks: await newLocks() });
  }
  await client.query("commit");
  const end = secondsSince(begun);
  return steps.map(({ name, beside, from, to, locks }) => ({
    ...{ name, beside, seconds: to - from },
    locks: locks.map((lock) => ({ ...lock, seconds: end - from })),
  }));
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The copy with its indexes, once more for what is rewritten, and what a new server takes. */
async function checkRoom(client: Client, folder: string, free: number): Promise<void> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_database_size(current_database())::text as bytes",
  );
  const needed = 2 * Number(rows[0]?.bytes ?? 0) + 100e6;
  if (free >= needed) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new BackupError(
    "unsuitable",
    `A copy of the database takes some ${gigabytes(needed)}, and ${folder} has ${gigabytes(free)}: name another folder with --copy.`,
  );
}
