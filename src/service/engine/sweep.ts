import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "../store/schema.ts";
import { limits } from "./engine-error.ts";
import { executeJob, wakeJob, wakeKey } from "./jobs.ts";

/** How long something may lie without a job before the sweep takes it for forgotten: somebody may just be at it. */
const gracePeriod = sql.lit("2 s");
const batch = sql.lit(1_000);
const sweepKey = sql.lit(7_235_403);

/**
 * Hands out again what lost its job with a worker that died: executions whose lease ran out, queued ones that nobody
 * was given, due times that nobody served, and held ones that have a place. One process sweeps at a time.
 */
export async function sweep(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${sweepKey}) as mine`.execute(tx);
    if (rows[0]?.mine !== true) return;
    await sql`
      select ${executeJob(sql`id`, "woken")} from executions
       where state = 'running' and lease < now() and ${noJob(sql`executions.id`)} limit ${batch}
    `.execute(tx);
    await sql`
      select ${executeJob(sql`id`, "woken")} from executions
       where state = 'queued' and held_at is null and queued_at < now() - ${gracePeriod}::interval and ${noJob(sql`executions.id`)}
       order by queued_at limit ${batch}
    `.execute(tx);
    await sql`
      select ${wakeJob(sql`execution_id`, sql`key`, sql`now()`)} from steps
       where state = 'waiting' and wake_at < now() - ${gracePeriod}::interval and ${noJob(wakeKey(sql`execution_id`, sql`steps.key`))} limit ${batch}
    `.execute(tx);
    await sql`
      select wake_held(limit_key, ${sql.lit(limits.running)}) from executions
       where state = 'queued' and held_at is not null group by limit_key
    `.execute(tx);
  });
}

/** No job with this key lies ready. A job that a dead worker had taken does not count. */
const noJob = (key: RawBuilder<unknown>) =>
  sql`not exists (select from graphile_worker.jobs where jobs.key = ${key} and jobs.locked_at is null)`;
