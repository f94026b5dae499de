import { type Kysely, sql } from "kysely";
import type { Database } from "../../store/schema.ts";

/**
 * For how long a turn has waited for people, in milliseconds by the database's clock: questions that waited at the same time
 * count once.
 */
export async function waitedForPeople(db: Kysely<Database>, executionId: string): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select (sum(extract(epoch from upper(span) - lower(span))) * 1000)::float8 as ms
      from (select unnest(range_agg(tstzrange(asked_at, greatest(asked_at, coalesce(
                     answered_at, ended_at, least(lapses_at, clock_timestamp())))))) as span
              from approvals where execution_id = ${executionId}) waited`.execute(db);
  return rows[0]?.ms ?? 0;
}
