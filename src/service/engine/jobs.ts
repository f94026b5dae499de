import { type RawBuilder, sql } from "kysely";

/** The tasks of Graphile Worker. A job only says "look at this": what is true is in our own tables. */
export const tasks = { execute: "execute", wake: "wake" } as const;

/** Lower runs sooner: what was woken before what is fresh, so that what has begun also ends. */
const priorities = { woken: -100, fresh: 0 } as const;

/**
 * The SQL expression that hands an execution to a worker, once, however often it is asked for.
 * @param id an expression for its id
 * @param at an expression for the time before which nobody gets it
 */
export function executeJob(
  id: RawBuilder<unknown>,
  priority: keyof typeof priorities,
  at: RawBuilder<unknown> = sql`now()`,
): RawBuilder<unknown> {
  return sql`graphile_worker.add_job(${sql.lit(tasks.execute)}, json_build_object('id', ${id}),
    run_at => ${at}, job_key => ${id}, priority => ${sql.lit(priorities[priority])})`;
}

/** The SQL expression that ends a waiting step at its time. All three are expressions. */
export function wakeJob(
  id: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`graphile_worker.add_job(${sql.lit(tasks.wake)}, json_build_object('id', ${id}, 'key', ${key}),
    run_at => ${at}, job_key => ${wakeKey(id, key)}, priority => ${sql.lit(priorities.woken)})`;
}

/** The key of that job: an id and a step's key may be longer together than a job's key may be. */
export function wakeKey(id: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`'wake ' || md5(${id} || ' ' || ${key})`;
}
