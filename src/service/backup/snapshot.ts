import type pg from "pg";
import { fileNames } from "../files/sweep-files.ts";
import { lockKeys } from "../store/lock-keys.ts";
import { pendingMigrations } from "../store/migrate.ts";
import { BackupError } from "./backup-error.ts";
import { quoted } from "./database.ts";
import type { Totals } from "./format.ts";

/**
 * Tables that a copy must not have: it has migrations of its own; tokens that prove whose a folder of files is; whether it
 * is paused. What Graphile Worker has is rebuilt: the engine's sweep finds each due time that has no job.
 */
const leftOut = ["migrations", "file_tokens", "pause"] as const;

/** A table and those of its columns that are stored, not worked out. */
export interface SavedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** As the server last counted, on its disk. */
  readonly bytes: number;
}

/**
 * Has no file removed from here on, and then lets this connection see one moment of the database until `endSnapshot`. The
 * first has to come before the second: whoever removes a file looks for the lock after its rows are gone.
 * @throws BackupError `no_source` for a database that has none of our tables; StoreError for one of a newer release
 */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [lockKeys.backup]);
  await client.query("create temp table backup_files (id text primary key)");
  await client.query("create temp table backup_alive (id text primary key)");
  await client.query("begin isolation level repeatable read read only");
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null and to_regclass('installation') is not null as there",
  );
  if (rows[0]?.there !== true)
    throw new BackupError(
      "no_source",
      "There is no Wheelhouse in this database: look at DATABASE_URL or --data.",
    );
  await pendingMigrations(client);
}

/** Ends it; files stay held until the connection ends. */
export async function endSnapshot(client: pg.Client): Promise<void> {
  await client.query("commit");
  await client.query("analyze backup_alive");
}

/** By name. */
export async function savedMigrations(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
  return rows.map(({ name }) => name);
}

/** Those of the schema that we use, but those of extensions and those that a copy must not have. */
export async function savedTables(client: pg.Client): Promise<readonly SavedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; bytes: string }>(
    `select relname as name, pg_table_size(c.oid)::text as bytes,
            array(select attname::text from pg_attribute
                   where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
                   order by attnum) as columns
       from pg_class c
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relname = any($1)
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
      order by relname`,
    [leftOut],
  );
  return rows.map(({ bytes, ...table }) => ({ ...table, bytes: Number(bytes) }));
}

/** To be read after the rows, so that none is behind them. */
export async function savedSequences(client: pg.Client): Promise<Totals["sequences"]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1",
  );
  const sequences: Totals["sequences"] = [];
  for (const { name } of rows) {
    const found = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoted(name)}`,
    );
    const [row] = found.rows;
    if (row !== undefined) sequences.push({ name, ...row });
  }
  return sequences;
}

/** Notes, on the server, which files the rows name, and which executions are not over: those may name more. */
export async function noteFiles(client: pg.Client): Promise<void> {
  for (const { table, column } of fileNames) {
    const { rows } = await client.query("select to_regclass($1) is not null as there", [table]);
    if (rows[0]?.there !== true) continue;
    await client.query(`insert into backup_files select ${column} from ${table} on conflict do nothing`);
  }
  await client.query(
    "insert into backup_alive select id from executions where state in ('queued', 'running', 'waiting')",
  );
}

/** How many files the rows name. */
export async function countFiles(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>("select count(*)::text as count from backup_files");
  return Number(rows[0]?.count ?? 0);
}

/** The ids of the files that rows name, a page at a time. */
export async function* namedFiles(client: pg.Client): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const { rows } = await client.query<{ id: string }>(
      "select id from backup_files where id > $1 order by id limit 1000",
      [after],
    );
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Those of these files that no row names yet and that an execution that is not over may name. */
export async function unnamedFiles(client: pg.Client, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from unnest($1::text[]) file (id)
      where not exists (select from backup_files where backup_files.id = file.id)
        and exists (select from backup_alive alive where strpos(file.id, alive.id) > 0)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Whether there were executions that were not over yet. */
export async function anyAlive(client: pg.Client): Promise<boolean> {
  return (await client.query("select from backup_alive limit 1")).rows.length > 0;
}
