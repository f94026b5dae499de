import { type Kysely, type RawBuilder, sql } from "kysely";
import { lockKeys } from "../store/lock-keys.ts";
import type { Database } from "../store/schema.ts";
import { giveLeftPlaces } from "./claim.ts";
import { followTurnedBack } from "./clock-turned-back.ts";
import { sinceLost } from "./execution-limits.ts";
import { wakeJob, wakeKey } from "./jobs.ts";
import { notifyReady } from "./signals.ts";

/** How long a due time may lie without a job before the sweep takes it for forgotten: somebody may just be at it. */
const gracePeriod = sql.lit("2 s");
const batch = sql.lit(1_000);

/**
 * Finds again what a worker that died had: executions whose lease ran out are ready for others, which counts as an attempt,
 * due times that nobody served get their job back, and places that were to be given are. One process sweeps at a time.
 * @returns how many executions it took from workers
 */
export async function sweep(db: Kysely<Database>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${sql.lit(lockKeys.sweep)}) as mine`.execute(tx);
    if (rows[0]?.mine !== true) return 0;
    await followTurnedBack(tx);
    const { rows: taken } = await sql`
      with lost as (
        select id, root_id, epoch, lease from executions
         where state = 'running' and lease < now() limit ${batch} for no key update skip locked
      ), noted as (
        insert into takeovers (execution_id, epoch, at)
        select lost.id, lost.epoch, clock_timestamp() from lost join traces on traces.root_id = lost.root_id
        on conflict do nothing
      ), given as (
        update executions
           set state = 'queued', owner = null, lease = null, queued_at = now(), attempts = attempts + 1,
                 waited_ms = waited_ms + ${sinceLost(sql`lost.lease`, sql`now()`)}
          from lost where executions.id = lost.id returning limit_key, user_id
      )
      select ${notifyReady} from given
    `.execute(tx);
    await sql`
      select ${wakeJob(sql`execution_id`, sql`key`, sql`now()`)} from steps
       where state = 'waiting' and wake_at < now() - ${gracePeriod}::interval and ${noJob(wakeKey(sql`execution_id`, sql`steps.key`))} limit ${batch}
    `.execute(tx);
    await giveLeftPlaces(tx);
    // Where somebody's work began is believed for a moment only; who has none left leaves nothing behind.
    await sql`
      delete from fronts using (
        select key, kind from fronts where walked_at < clock_timestamp() - interval '1 min' for update skip locked
      ) old where fronts.key = old.key and fronts.kind = old.kind
    `.execute(tx);
    return taken.length;
  });
}

/** No job with this key lies ready. A job that a dead worker had taken does not count. */
const noJob = (key: RawBuilder<unknown>) =>
  sql`not exists (select from graphile_worker.jobs where jobs.key = ${key} and jobs.locked_at is null)`;
