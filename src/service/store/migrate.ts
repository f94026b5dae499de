import type pg from "pg";
import { lockKeys } from "./lock-keys.ts";
import { type Migration, migrations as ours } from "./migrations/index.ts";
import { numberOf, schemaNumber, worksFrom } from "./schema-number.ts";
import { codeOf, StoreError, sentenceOf } from "./store-error.ts";

/** How long a migration waits for a table that others use, in milliseconds: whoever comes after it waits as long. */
const lockMs = 10_000;

/**
 * Brings the schema up to date, all that is pending in one transaction: what fails leaves the database as it was.
 * @param waitMs how long to wait for a table that others use
 * @returns the names of what was applied, in order
 * @throws StoreError `wrong_version` when the database has migrations that this release does not know and cannot work with;
 *   `migration_failed`
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = ours,
  waitMs: number = lockMs,
): Promise<readonly string[]> {
  if ((await missing(pool, migrations)).length === 0) return [];
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKeys.migration]);
    const pending = await missing(client, migrations);
    await client.query("begin");
    await client.query("select set_config('lock_timeout', $1, true)", [String(waitMs)]);
    await prepareRecords(client);
    for (const migration of pending) await applyOne(client, migration);
    await client.query("commit");
    await client.query("select pg_advisory_unlock($1)", [lockKeys.migration]);
    client.release();
    return pending.map(({ name }) => name);
  } catch (error) {
    // Closing the connection rolls back and unlocks, in whatever state it is.
    client.release(true);
    throw error;
  }
}

/** Makes the table that knows what was applied, where it is not there or is that of an older release. */
export async function prepareRecords(client: pg.ClientBase): Promise<void> {
  await client.query(
    "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  const { rows } = await client.query<{ there: boolean }>(
    `select exists (select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'works_from'
                       and not attisdropped) as there`,
  );
  // Asked first: the statement waits for all that read the table.
  if (rows[0]?.there !== true) await client.query("alter table migrations add column works_from integer");
}

/**
 * Applies one migration in the transaction of this connection, and remembers it.
 * @throws StoreError `migration_failed`
 */
export async function applyOne(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  try {
    await client.query(sql);
    await client.query("insert into migrations (name, works_from) values ($1, $2)", [
      name,
      worksFrom(migration),
    ]);
  } catch (error) {
    // It waited too long, or was given up to end a deadlock.
    const isHeld = ["55P03", "40P01"].includes(codeOf(error) ?? "");
    throw new StoreError(
      "migration_failed",
      isHeld
        ? `The schema was not brought up to date: another connection holds a table that ${name} changes. The database is as it was: end what holds it (pg_stat_activity names it), and start once more.`
        : `The schema was not brought up to date: ${name} failed (${sentenceOf(error)}). The database is as it was: go on with the release before, and say what failed.`,
      error,
    );
  }
}

/**
 * What the next start of this release would change in the schema; asks and changes nothing.
 * @throws StoreError `wrong_version` as `migrate` does
 */
export async function pendingMigrations(
  db: pg.Pool | pg.ClientBase,
  migrations: readonly Migration[] = ours,
): Promise<readonly Migration[]> {
  return await missing(db, migrations);
}

interface Applied {
  readonly name: string;
  /** Null in a database that no release which knows of it has changed. */
  readonly works_from: number | null;
}

async function missing(db: pg.Pool | pg.ClientBase, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await db.query("select to_regclass('migrations') is not null as there");
  if (rows[0]?.there !== true) return [...migrations];
  // As JSON, as an older release's table has no such column.
  const { rows: applied } = await db.query<Applied>(
    "select name, (to_json(m) ->> 'works_from')::integer as works_from from migrations m order by name",
  );
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name));
  const here = migrations === ours ? schemaNumber : Math.max(...migrations.map(numberOf));
  const broken = unknown.filter(({ works_from }) => works_from === null || works_from > here);
  if (broken.length > 0) {
    throw new StoreError(
      "wrong_version",
      `The database was written by a newer release (it has ${broken.map(({ name }) => name).join(", ")}): start that release, or go back to a backup.`,
    );
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
