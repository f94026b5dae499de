import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { lease, leaseSeconds } from "./claim.ts";
import { wakeJob } from "./jobs.ts";
import type { ExecutionRow } from "./rows.ts";

/** The own time of what an execution has started has a limit. */
export interface ChildLimit {
  /** Of the step that becomes done when the time is over and the child is not. */
  readonly key: string;
  /** Of the child's own time: from its first claim on, without what it waits for a worker. */
  readonly ms: number;
}

/** What is ready is looked at no more often than so, and no less, in milliseconds. */
const [soonest, latest] = [sql.lit(1_000), sql.lit(10_000)];

/**
 * The own time of an execution before it was claimed, in milliseconds: since its first claim, without what it had waited for a
 * worker. All by the database's clock.
 * @param row as it was claimed: its lease began then
 */
export function spentBefore({ started_at, lease, waited_ms }: ExecutionRow): number {
  if (started_at === null || lease === null) return 0;
  return Math.max(0, lease.getTime() - leaseSeconds * 1_000 - started_at.getTime() - waited_ms);
}

/**
 * An SQL expression of the milliseconds since the last sign of life of a worker that was lost: nobody can tell that it was at
 * work after that.
 */
export const sinceLost = (until: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<number> =>
  sql`1000 * extract(epoch from ${now} - (${until} - ${lease}::interval))::float8`;

/** Writes the step of a limit on what this execution is starting; nothing where it is there. */
export async function writeLimit(
  tx: Tx,
  id: string,
  { key, ms }: ChildLimit,
  childId: string,
): Promise<void> {
  await sql`
    with made as (
      insert into steps (execution_id, key, state, wake_at, limited_id, limit_ms)
      values (${id}, ${key}, 'waiting', clock_timestamp() + make_interval(secs => ${ms / 1_000}), ${childId}, ${ms})
      on conflict (execution_id, key) do nothing returning execution_id, key, wake_at
    )
    select ${wakeJob(sql`execution_id`, sql`key`, sql`wake_at`)} from made`.execute(tx);
}

/**
 * Puts the time of a waiting step off where that is a limit and the child has not spent it. Locks the execution's row, as
 * `endWaitingStep` does.
 * @returns by how many milliseconds; null where it is no limit, or the time is over
 */
export async function putOffLimit(tx: Tx, id: string, key: string): Promise<number | null> {
  const { rows } = await sql<{ ms: number }>`
    with alive as (
      select id from executions where id = ${id} and finished_at is null for no key update
    ), measured as (
      select alive.id, limit_ms - ${ownMs} as left_ms, child.state = 'queued' as is_ready,
             1000 * extract(epoch from clock_timestamp() - child.created_at)::float8 as age
        from alive join steps on execution_id = alive.id join executions child on child.id = limited_id
       where key = ${key} and child.finished_at is null
    ), put_off as (
      select id, greatest(left_ms, case when is_ready then least(greatest(age / 10, ${soonest}), ${latest}) end) as ms
        from measured where left_ms > 0
    ), moved as (
      update steps set wake_at = clock_timestamp() + make_interval(secs => ms / 1000) from put_off
       where execution_id = id and key = ${key} and state = 'waiting' returning execution_id, key, wake_at, ms
    )
    select ms, ${wakeJob(sql`execution_id`, sql`key`, sql`wake_at`)} from moved`.execute(tx);
  return rows[0]?.ms ?? null;
}

/** Of the row `child`. What is queued again after a pause has had that counted. */
const ownMs = sql`case when child.started_at is null then 0 else greatest(0, 1000 * extract(epoch from
               case when child.state = 'queued' then child.queued_at
                    when child.lease < clock_timestamp() then child.lease - ${lease}::interval
                    else clock_timestamp() end - child.started_at)::float8 - child.waited_ms) end`;
