import type pg from "pg";
import { applyOne, prepareRecords } from "../store/migrate.ts";
import { migrations } from "../store/migrations/index.ts";
import { quoted } from "./database.ts";
import type { Totals } from "./format.ts";

/** A schema that takes rows in any order. */
export interface BareSchema {
  readonly tables: ReadonlySet<string>;
  /** Puts back what was taken away, by which each row is looked at, and has the sequences go on where they were. */
  complete(sequences: Totals["sequences"]): Promise<void>;
}

/**
 * Puts the schema of some migrations into an empty database, without rows, links and triggers: what triggers do is in the
 * rows that come, and no row has to look for one that comes later.
 * @param client in a transaction; the database has Graphile Worker's schema already
 * @param names of the migrations
 * @throws StoreError `migration_failed`
 */
export async function bareSchema(client: pg.Client, names: ReadonlySet<string>): Promise<BareSchema> {
  await prepareRecords(client);
  for (const migration of migrations) if (names.has(migration.name)) await applyOne(client, migration);
  const tables = await emptyTables(client);
  const links = await withoutLinks(client);
  return {
    tables,
    async complete(sequences) {
      for (const { name, value, called } of sequences) {
        const { rows } = await client.query("select to_regclass($1) is not null as there", [quoted(name)]);
        if (rows[0]?.there === true)
          await client.query("select setval($1, $2, $3)", [quoted(name), value, called]);
      }
      for (const link of links) await client.query(link);
    },
  };
}

/** The tables of the schema, without what migrations put into them. */
async function emptyTables(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'migrations'
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = oid and deptype = 'e')`,
  );
  const names = rows.map(({ name }) => name);
  if (names.length > 0) await client.query(`truncate ${names.map(quoted).join(", ")}`);
  return new Set(names);
}

/** @returns the statements that put back what was taken away */
async function withoutLinks(client: pg.Client): Promise<readonly string[]> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  const { rows: triggered } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`);
  return [
    ...keys.map(
      ({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`,
    ),
    ...triggered.map(({ table }) => `alter table ${table} enable trigger user`),
  ];
}
