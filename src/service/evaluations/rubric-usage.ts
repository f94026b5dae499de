import { type Kysely, sql } from "kysely";
import type { Database } from "../store/schema.ts";

/** How much a saved rubric judged in the last days; numbers only, which everybody who sees the rubric may know. */
export interface RubricUsage {
  readonly days: number;
  readonly sessions: number;
  readonly agents: number;
  /** Of its newest result, however old. */
  readonly lastAt: Date | null;
}

const days = 30;

/** What counts: finished results of conversations that are there. Those of a deleted one go when it is erased, a day later. */
const counts = sql`evaluation_id = rubric.id and status = 'completed'
  and interaction_id not in (select id from interactions where deleted_at is not null and erased_at is null)`;

/** The use of each of these rubrics. */
export async function rubricUsage(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RubricUsage>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; sessions: number; agents: number; lastAt: Date | null }>`
    select rubric.id, counted.sessions, counted.agents,
           (select created_at from evaluation_results where ${counts} order by created_at desc limit 1) as "lastAt"
      from unnest(${[...ids]}::text[]) rubric (id) cross join lateral (
        select count(distinct interaction_id)::int as sessions, count(distinct agent_id)::int as agents
          from evaluation_results
         where ${counts} and created_at > now() - make_interval(days => ${sql.lit(days)})) counted`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...use }) => [id, { days, ...use }]));
}
