import { type RawBuilder, sql } from "kysely";

/** The task of Graphile Worker: a time has come. A job only says "look at this": what is true is in our own tables. */
export const wakeTask = "wake";

/** The SQL expression that ends a waiting step at its time. All three are expressions. */
export function wakeJob(
  id: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`graphile_worker.add_job(${sql.lit(wakeTask)}, json_build_object('id', ${id}, 'key', ${key}),
    run_at => ${at}, job_key => ${wakeKey(id, key)})`;
}

/** The key of that job: an id and a step's key may be longer together than a job's key may be. */
export function wakeKey(id: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`'wake ' || md5(${id} || ' ' || ${key})`;
}
