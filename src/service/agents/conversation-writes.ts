import { sql } from "kysely";
import type { Ids } from "../context.ts";
import type { ModelUsage } from "../models/types.ts";
import { storableText, toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import type { StoredPart } from "./parts.ts";

/** Where the answer of a turn is written. */
export interface AnswerPlace {
  readonly interactionId: string;
  /** Of the agent's message. */
  readonly seq: number;
}

/**
 * Adds parts to the agent's message, which is made with the first. In the transaction that records the step.
 * @param usage what the call of the model cost that they come from
 */
export async function addParts(
  tx: Tx,
  ids: Ids,
  at: AnswerPlace,
  parts: readonly StoredPart[],
  usage: ModelUsage = { input_tokens: null, output_tokens: null },
): Promise<void> {
  await sql`
    with message as (
      insert into messages (interaction_id, seq, id, role)
      values (${at.interactionId}, ${at.seq}, ${ids.make("msg")}, 'assistant')
      on conflict (interaction_id, seq) do nothing
    ), added as (
      insert into message_parts (interaction_id, message_seq, seq, part)
      select ${at.interactionId}, ${at.seq}, have.count + given.number, given.part
        from (select count(*)::integer as count from message_parts
               where interaction_id = ${at.interactionId} and message_seq = ${at.seq}) have,
             json_array_elements(${toJson(parts)}::json) with ordinality as given (part, number)
    )
    update interactions
       set revision = revision + 1, updated_at = now(),
           input_tokens = input_tokens + ${usage.input_tokens ?? 0}::integer,
           output_tokens = output_tokens + ${usage.output_tokens ?? 0}::integer
     where id = ${at.interactionId}`.execute(tx);
}

/**
 * Replaces a part, found by its id: a tool call that has come back.
 * @returns false where there is none
 */
export async function replacePart(tx: Tx, at: AnswerPlace, part: StoredPart): Promise<boolean> {
  const { rows } = await sql<{ replaced: boolean }>`
    with replaced as (
      update message_parts set part = ${toJson(part)}::json
       where interaction_id = ${at.interactionId} and message_seq = ${at.seq} and part->>'id' = ${part.id}
      returning seq
    ), touched as (
      update interactions set revision = revision + 1, updated_at = now() where id = ${at.interactionId}
    )
    select exists (select from replaced) as replaced`.execute(tx);
  return rows[0]?.replaced ?? false;
}

/** When a call began that has not come back; null where that was not written down. */
export async function beganAt(tx: Tx, at: AnswerPlace, partId: string): Promise<string | null> {
  const row = await tx
    .selectFrom("message_parts")
    .select(sql<string | null>`part->>'started_at'`.as("began"))
    .where("interaction_id", "=", at.interactionId)
    .where("message_seq", "=", at.seq)
    .where(sql<boolean>`part->>'id' = ${partId}`)
    .executeTakeFirst();
  return row?.began ?? null;
}

export type TurnEnd =
  | { readonly type: "completed"; readonly response: string }
  /** `isStopped`: nothing went wrong, somebody ended it. */
  | { readonly type: "failed"; readonly error: string; readonly isStopped?: boolean };

/** Of an `error_message` (§2.1). */
const errorCharacters = 4096;

/**
 * Writes how a turn ended, in the transaction that ends its execution: the answer's text or the error, calls that never
 * came back, and the state (§3.1). Only the turn that the interaction is in may do so.
 */
export async function endTurn(
  tx: Tx,
  ids: Ids,
  at: AnswerPlace,
  executionId: string,
  end: TurnEnd,
): Promise<void> {
  const error = end.type === "failed" ? storableText(end.error).slice(0, errorCharacters) : null;
  const ended = await tx
    .updateTable("interactions")
    .set({ state: end.type, error, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where("id", "=", at.interactionId)
    .where("execution_id", "=", executionId)
    .returning("id")
    .executeTakeFirst();
  if (ended === undefined) return;
  if (end.type === "failed" && error !== null) {
    await addParts(tx, ids, at, [
      { id: "error", type: "error", error, ...(end.isStopped && { code: "stopped" as const }) },
    ]);
  }
  if (end.type === "completed") {
    const content = storableText(end.response);
    await tx
      .insertInto("messages")
      .values({
        interaction_id: at.interactionId,
        seq: at.seq,
        id: ids.make("msg"),
        role: "assistant",
        content,
      })
      .onConflict((conflict) => conflict.columns(["interaction_id", "seq"]).doUpdateSet({ content }))
      .execute();
  }
  await sql`
    update message_parts set part = (
      select json_object_agg(key, value) from (
        select key, case key when 'toolCallState' then '"failed"'::json else value end as value from json_each(part)
        union all
        select 'finished_at', to_json(to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         where part->>'started_at' is not null) as field)
     where interaction_id = ${at.interactionId} and message_seq = ${at.seq}
       and part->>'type' = 'tool_invocation' and part->>'toolCallState' = 'running'`.execute(tx);
}
