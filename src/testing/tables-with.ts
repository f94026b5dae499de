import { type Kysely, sql } from "kysely";
import type { Database } from "../service/store/schema.ts";

/** Every table that there is, and those of the queue, in which a word is left: none has to be on a list for that. */
export async function tablesWith(db: Kysely<Database>, word: string): Promise<readonly string[]> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`.execute(db);
  if (tables.rows.length < 30) throw new Error("These are not all tables");
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } =
      await sql`select from ${sql.raw(name)} as row where row::text like ${`%${word}%`}`.execute(db);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
