import { endWaitingStep } from "../service/engine/wake.ts";
import type { Store } from "../service/store/store.ts";
import { until } from "./until.ts";

/** Waits until an execution does nothing but wait. @returns the time for which it waits in that step */
export async function waitsUntil({ db }: Store, id: string, key: string): Promise<Date> {
  const read = () =>
    db
      .selectFrom("executions")
      .innerJoin("steps", "steps.execution_id", "executions.id")
      .select(["executions.state", "wake_at"])
      .where("executions.id", "=", id)
      .where("key", "=", key)
      .executeTakeFirst();
  await until(`${id} to wait`, async () => (await read())?.state === "waiting");
  const wakeAt = (await read())?.wake_at;
  if (!wakeAt) throw new Error(`${id} waits for no time in ${key}`);
  return wakeAt;
}

/** As if the time had come for which an execution waits in that step. */
export async function expireTimer({ db }: Store, id: string, key: string): Promise<void> {
  await db.transaction().execute((tx) => endWaitingStep(tx, id, key, { state: "done", output: null }));
}

/**
 * The time has come for which an execution waits in that step, and workers look at it by themselves.
 * @returns that time
 */
export async function comeDue({ pool }: Store, id: string, key: string): Promise<Date> {
  const { rows } = await pool.query<{ wake_at: Date }>(
    "update steps set wake_at = now() where execution_id = $1 and key = $2 and state = 'waiting' returning wake_at",
    [id, key],
  );
  const job =
    "update graphile_worker._private_jobs set run_at = now() where key = 'wake ' || md5($1 || ' ' || $2)";
  await pool.query(job, [id, key]);
  if (rows[0] === undefined) throw new Error(`${id} does not wait in ${key}`);
  return rows[0].wake_at;
}

/**
 * As if the time had come for which executions wait in that step: those of a kind about one subject that are not over.
 * @returns how long each was to wait from its beginning, in milliseconds, the oldest first
 */
export async function expireTimers(
  store: Store,
  { kind, subjectId }: { readonly kind: string; readonly subjectId: string },
  key: string,
): Promise<number[]> {
  const open = await store.db
    .selectFrom("executions")
    .select(["id", "created_at"])
    .where("kind", "=", kind)
    .where("subject_id", "=", subjectId)
    .where("finished_at", "is", null)
    .orderBy("created_at")
    .execute();
  const lengths: number[] = [];
  for (const { id, created_at } of open) {
    lengths.push((await waitsUntil(store, id, key)).getTime() - created_at.getTime());
    await expireTimer(store, id, key);
  }
  return lengths;
}
