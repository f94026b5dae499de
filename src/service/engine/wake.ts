import { sql } from "kysely";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import { notifyReady, notifyWorkers } from "./signals.ts";

/** How a step ends that waited. */
export type StepEnd =
  | { readonly state: "done"; readonly output: JsonValue }
  | { readonly state: "failed"; readonly error: string };

/**
 * Ends a waiting step and wakes its execution, in the caller's transaction: one that waits is ready; one that runs is
 * told, and will look again before it waits; one that is over stays as it is. Locks the execution's row: callers that
 * hold locks below it in the tree must have locked it before.
 */
export async function endWaitingStep(tx: Tx, executionId: string, key: string, end: StepEnd): Promise<void> {
  const output = end.state === "done" ? toJson(end.output) : null;
  const error = end.state === "failed" ? end.error : null;
  await sql`
    with alive as (
      select id from executions where id = ${executionId} and finished_at is null for no key update
    ), ended as (
      update steps set state = ${end.state}, output = ${output}::json, error = ${error}, finished_at = now()
        from alive where execution_id = alive.id and key = ${key} and state = 'waiting' returning execution_id
    ), woken as (
      update executions
         set wake_seq = wake_seq + 1, revision = revision + 1,
             queued_at = case when state = 'waiting' then now() else queued_at end,
             state = case when state = 'waiting' then 'queued' else state end
       where id in (select execution_id from ended) returning id, state, limit_key, user_id
    )
    select case state when 'queued' then ${notifyReady} is not null
                      else ${notifyWorkers("woken", sql`id`)} is not null end
      from woken
  `.execute(tx);
}

/**
 * Ends the times that an execution waits for, so that it looks at the world again now; in the caller's transaction. Locks
 * the execution's row until the commit: what the caller changes is there when it looks. Callers that change what the steps
 * of the execution lock must call this first.
 * @returns false where it is over, or never was
 */
export async function wakeNow(tx: Tx, executionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from executions where id = ${executionId} and finished_at is null for no key update`.execute(tx);
  if (rows.length === 0) return false;
  // Another statement: it sees what was recorded while this one waited for the lock.
  const waits = await tx
    .selectFrom("steps")
    .select("key")
    .where("execution_id", "=", executionId)
    .where("state", "=", "waiting")
    .where("wake_at", "is not", null)
    .execute();
  for (const { key } of waits) await endWaitingStep(tx, executionId, key, { state: "done", output: null });
  return true;
}
