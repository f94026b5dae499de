import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Ids } from "../context.ts";
import type { AttachedRow, RowValues } from "../engine/attached-rows.ts";
import type { ModelUsage } from "../models/types.ts";
import { type JsonValue, storableText, toJson } from "../store/json.ts";
import type { StoredPart } from "./parts.ts";

/** Where the answer of a turn is written. */
export interface AnswerPlace {
  readonly interactionId: string;
  /** Of the agent's message. */
  readonly seq: number;
}

/** What is written of an answer at once. */
export interface AnswerWrite {
  /** Each is there once, as it was said last: one whose id is there is replaced, others come after what is there. */
  readonly parts: readonly StoredPart[];
  /** What the call of the model cost that they come from. */
  readonly usage?: ModelUsage;
}

/** As `answers` in SQL; its text is there at the end of the turn. */
const answerRow = (ids: Ids, at: AnswerPlace, { parts, usage }: AnswerWrite, content: string | null) => ({
  ...{ interaction_id: at.interactionId, seq: at.seq, message_id: ids.make("msg"), content, parts },
  input_tokens: usage?.input_tokens ?? 0,
  output_tokens: usage?.output_tokens ?? 0,
});

/** What an answer says further, as rows of the step that it comes from. */
export function answerRows(ids: Ids, at: AnswerPlace, write: AnswerWrite): AttachedRow {
  return { write: writeAnswers, row: answerRow(ids, at, write, null), join: saidTogether };
}

const said = z.object({
  parts: z.array(z.looseObject({ id: z.string() }).catchall(z.json())),
  input_tokens: z.number(),
  output_tokens: z.number(),
});

/** Two answers in one: each part is there once, as it was said last. */
function saidTogether(earlierRow: RowValues, row: RowValues): RowValues {
  const earlier = said.parse(earlierRow);
  const later = said.parse(row);
  const parts = new Map([...earlier.parts, ...later.parts].map((part) => [part.id, part]));
  return {
    ...row,
    parts: [...parts.values()],
    input_tokens: earlier.input_tokens + later.input_tokens,
    output_tokens: earlier.output_tokens + later.output_tokens,
  };
}

export type TurnEnd =
  | { readonly type: "completed"; readonly response: string }
  /** `isStopped`: nothing went wrong, somebody ended it. */
  | { readonly type: "failed"; readonly error: string; readonly isStopped?: boolean };

/** Of an `error_message` (§2.1). */
const errorCharacters = 4096;

/** How a turn ended, as rows of its end: the answer's text or the error, calls that never came back, and the state (§3.1). */
export function turnEndRow(ids: Ids, at: AnswerPlace, end: TurnEnd): AttachedRow {
  const error = end.type === "failed" ? storableText(end.error).slice(0, errorCharacters) : null;
  const content = end.type === "completed" ? storableText(end.response) : null;
  const isStopped = end.type === "failed" && end.isStopped;
  const parts: StoredPart[] =
    error === null ? [] : [{ id: "error", type: "error", error, ...(isStopped && { code: "stopped" }) }];
  const row = { ...answerRow(ids, at, { parts }, content), state: end.type, error };
  return { write: writeAnswers, row, join: saidTogether };
}

const ofEnd = z.looseObject({ state: z.string() });

/**
 * CTEs that write answers: each agent's message, which is made with the first, its parts, and what they cost; those that end
 * their turns also how. One statement has answers of steps or of ends.
 */
function writeAnswers(rows: readonly JsonValue[]): RawBuilder<unknown> {
  const areEnds = rows.some((row) => ofEnd.safeParse(row).success);
  return sql`answers as (
      select answers.* from recorded join json_to_recordset(${toJson(rows)}::json)
             as answers (execution_id text, interaction_id text, seq integer, message_id text, content text, parts json,
                         input_tokens integer, output_tokens integer, state text, error text)
          on answers.execution_id = recorded.execution_id${
            areEnds
              ? sql`
        join interactions on interactions.id = answers.interaction_id
                         and interactions.execution_id = answers.execution_id`
              : sql``
          }
    ), touched as (
      update interactions
         set revision = revision + 1, updated_at = now(), input_tokens = interactions.input_tokens + answers.input_tokens,
             output_tokens = interactions.output_tokens + answers.output_tokens${
               areEnds
                 ? sql`, state = answers.state,
             error = answers.error`
                 : sql``
             }
        from answers where id = answers.interaction_id
    ), written_messages as (
      insert into messages (interaction_id, seq, id, role, content)
      select interaction_id, seq, message_id, 'assistant', content from answers
      on conflict (interaction_id, seq) do update set content = excluded.content where excluded.content is not null
    ), given_parts as (
      select interaction_id, seq, ${areEnds ? asEnded(sql`given.part`) : sql`given.part`} as part,
             given.part->>'id' as id, given.number
        from answers, json_array_elements(parts) with ordinality as given (part, number)
    ), there as (
      select there.interaction_id, message_seq, there.seq, there.part->>'id' as id
        from answers join message_parts there on there.interaction_id = answers.interaction_id and message_seq = answers.seq
    ), replaced_parts as (
      -- By their keys: of the lists the planner knows no length, and would read the whole table.
      update message_parts old set part = given_parts.part
        from there join given_parts on given_parts.interaction_id = there.interaction_id
                                   and given_parts.seq = there.message_seq and given_parts.id = there.id
       where old.interaction_id = there.interaction_id and old.message_seq = there.message_seq and old.seq = there.seq
    ), added_parts as (
      insert into message_parts (interaction_id, message_seq, seq, part)
      select interaction_id, seq,
             (select count(*) from there where there.interaction_id = given_parts.interaction_id)
               + row_number() over (partition by interaction_id order by number), part
        from given_parts
       where not exists (select from there
                          where there.interaction_id = given_parts.interaction_id and there.id = given_parts.id)
    )${areEnds ? sql`, ${whatNeverCameBack}` : sql``}`;
}

/** Calls and questions of turns that have ended; those that are written with the end are not written twice. */
const whatNeverCameBack = sql`ended_parts as (
      update message_parts set part = ${asEnded(sql`part`)}
        from answers
       where message_parts.interaction_id = answers.interaction_id and message_seq = answers.seq and ${isOpen(sql`part`)}
         and not exists (select from given_parts where given_parts.interaction_id = message_parts.interaction_id
                                                   and given_parts.id = message_parts.part->>'id')
    ), withdrawn_approvals as (
      -- What a server asked whose call is over; what a turn that failed had asked is withdrawn by its end.
      update approvals set state = 'withdrawn', ended_at = clock_timestamp() from answers
       where approvals.execution_id = answers.execution_id and approvals.state = 'waiting' and answers.state = 'completed'
    )`;

/** Whether a part is a call that has not come back. */
function isOpen(part: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${part}->>'type' = 'tool_invocation' and ${part}->>'toolCallState' in ('running', 'approval_required')`;
}

/** A part of a turn that has ended: a call that has not come back failed with it. */
function asEnded(part: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${isOpen(part)} then (
        select json_object_agg(key, value) from (
          select key, case key when 'toolCallState' then '"failed"'::json else value end as value from json_each(${part})
          union all
          select 'finished_at', to_json(to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
           where ${part}->>'started_at' is not null) as field) else ${part} end`;
}
