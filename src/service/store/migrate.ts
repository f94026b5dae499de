import type pg from "pg";
import { lockKeys } from "./lock-keys.ts";
import { type Migration, migrations as ours } from "./migrations/index.ts";
import { StoreError } from "./store-error.ts";

/**
 * Brings the schema up to date, each migration in a transaction of its own.
 * @throws StoreError `wrong_version` when the database has migrations that this release does not know
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[] = ours): Promise<void> {
  if ((await missing(pool, migrations)).length === 0) return;
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKeys.migration]);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    for (const { name, sql } of await missing(client, migrations)) {
      await client.query("begin");
      await client.query(sql);
      await client.query("insert into migrations (name) values ($1)", [name]);
      await client.query("commit");
    }
    await client.query("select pg_advisory_unlock($1)", [lockKeys.migration]);
    client.release();
  } catch (error) {
    // Closing the connection rolls back and unlocks, in whatever state it is.
    client.release(true);
    throw error;
  }
}

/**
 * The names of what the next start of this release would change in the schema; asks and changes nothing.
 * @throws StoreError as `migrate` does
 */
export async function pendingMigrations(db: pg.Pool | pg.ClientBase): Promise<readonly string[]> {
  return (await missing(db, ours)).map(({ name }) => name);
}

async function missing(db: pg.Pool | pg.ClientBase, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await db.query("select to_regclass('migrations') is not null as there");
  if (rows[0]?.there !== true) return [...migrations];
  const applied = new Set<string>();
  for (const row of (await db.query("select name from migrations order by name")).rows) applied.add(row.name);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new StoreError(
      "wrong_version",
      `The database was written by a newer release (it has ${unknown.join(", ")}): start that release, or go back to a backup.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}
