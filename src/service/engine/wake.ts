import { sql } from "kysely";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import { executeJob } from "./jobs.ts";
import { tell } from "./signals.ts";

/** How a step ends that waited. */
export type StepEnd =
  | { readonly state: "done"; readonly output: JsonValue }
  | { readonly state: "failed"; readonly error: string };

/**
 * Ends a waiting step and wakes its execution, in the caller's transaction: one that waits gets a job; one that runs is
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
      update steps set state = ${end.state}, output = ${output}::jsonb, error = ${error}, finished_at = now()
        from alive where execution_id = alive.id and key = ${key} and state = 'waiting' returning execution_id
    ), woken as (
      update executions
         set wake_seq = wake_seq + 1, revision = revision + 1,
             queued_at = case when state = 'waiting' then now() else queued_at end,
             state = case when state = 'waiting' then 'queued' else state end
       where id in (select execution_id from ended) returning id, state
    )
    select case state when 'queued' then ${executeJob(sql`id`, "woken")} is not null
                      else ${tell("woken", sql`id`)} is not null end
      from woken
  `.execute(tx);
}
