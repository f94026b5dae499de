import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { lease } from "./claim.ts";
import { wakeJob } from "./jobs.ts";

/** Less is no jump: what waits for a time waits that much longer. */
const slack = sql.lit("3 s");

/**
 * An SQL expression for `turned_from` of what is to come and is dated by the clock as it is now: what the clock had been seen at
 * before it was turned back, until that is followed; else null. What follows it leaves alone what says so.
 */
export const turnedFrom = sql<Date | null>`(select seen from database_time where seen > clock_timestamp())`;

/**
 * Notices that the clock of the database was turned back since the last call, and turns back with it what is to come: leases,
 * times for which executions wait, and questions that lapse. Without that all of it would stand still until the clock has
 * caught up. One process calls it at a time. By how much is known to within the time since the last call: waits may become
 * that much longer, never shorter.
 */
export async function followTurnedBack(tx: Tx): Promise<void> {
  const { rows } = await sql<{ back: string; seen: string }>`
    with before as (select seen, seen - now() as back from database_time), looked as (
      insert into database_time (seen) values (now()) on conflict (one) do update set seen = excluded.seen
    )
    select back::text, seen::text from before where back > ${slack}::interval`.execute(tx);
  const [row] = rows;
  if (row === undefined) return;
  const by = sql`${row.back}::interval`;
  const isToCome = (at: RawBuilder<unknown>) =>
    sql`state = 'waiting' and ${at} > now() and turned_from is distinct from ${row.seen}::timestamptz`;
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
      update steps set wake_at = wake_at - ${by} where ${isToCome(sql`wake_at`)}
    )
    update approvals set lapses_at = lapses_at - ${by} where ${isToCome(sql`lapses_at`)}`.execute(tx);
  // Also of what was due already: a job that was made or put off before has a time that is to come.
  await sql`
    select ${wakeJob(sql`execution_id`, sql`key`, sql`wake_at`)} from steps
     where state = 'waiting' and wake_at is not null`.execute(tx);
}
