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
