import { sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { lease } from "./claim.ts";
import { wakeJob } from "./jobs.ts";

/** Less is no jump: what waits for a time waits that much longer. */
const slack = sql.lit("3 s");

/**
 * Notices that the clock of the database was turned back since the last call, and turns back with it what is to come: leases,
 * times for which executions wait, and questions that lapse. Without that all of it would stand still until the clock has
 * caught up. One process calls it at a time. By how much is known to within the time since the last call: waits may become
 * that much longer, never shorter.
 */
export async function followTurnedBack(tx: Tx): Promise<void> {
  const { rows } = await sql<{ back: string | null }>`
    with before as (select seen - now() as back from database_time), looked as (
      insert into database_time (seen) values (now()) on conflict (one) do update set seen = excluded.seen
    )
    select back::text from before where back > ${slack}::interval`.execute(tx);
  const back = rows[0]?.back;
  if (back == null) return;
  const by = sql`${back}::interval`;
  // From the top of each tree downwards, as whoever ends one locks them.
  await sql`select from executions where finished_at is null order by depth, id for no key update`.execute(
    tx,
  );
  await sql`update executions set lease = now() + ${lease}::interval
             where state = 'running' and lease > now() + ${lease}::interval`.execute(tx);
  await sql`update executions set queued_at = greatest(queued_at - ${by}, now())
             where state = 'queued' and queued_at > now()`.execute(tx);
  // One statement: of what is asked meanwhile, by a run that nobody could lock, it sees both, or neither.
  await sql`
    with turned as (
      update steps set wake_at = wake_at - ${by} where state = 'waiting' and wake_at > now()
    )
    update approvals set lapses_at = lapses_at - ${by} where state = 'waiting' and lapses_at > now()`.execute(
    tx,
  );
  // Also of what was due already: a job that was made or put off before has a time that is to come.
  await sql`
    select ${wakeJob(sql`execution_id`, sql`key`, sql`wake_at`)} from steps
     where state = 'waiting' and wake_at is not null`.execute(tx);
}
