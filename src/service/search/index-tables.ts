import { sql } from "kysely";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { Store } from "../store/store.ts";

/**
 * Makes the index over what is searched, if this database can have it: `pg_trgm` comes with PostgreSQL, but somebody must
 * have installed it, and some do not let the database's owner create it.
 * @returns false where it cannot be had: then nothing is searched, nor written for it
 */
export async function enableSearch({ db }: Pick<Store, "db">): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await takeAdvisoryLock(tx, "search index");
    await sql`
      do $$ begin
        create extension if not exists pg_trgm;
      exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
        null;
      end $$`.execute(tx);
    // Somebody may have put it into a schema that is not on our path.
    const { rows } = await sql<{ schema: string }>`
      select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
       where extname = 'pg_trgm'`.execute(tx);
    const [extension] = rows;
    if (extension === undefined) return false;
    await sql`
      create index if not exists search_blocks_text on search_blocks
       using gin (search_stretches(user_id, team_id, number), text ${sql.id(extension.schema, "gin_trgm_ops")})`.execute(
      tx,
    );
    return true;
  });
}
