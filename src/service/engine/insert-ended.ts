import { type RawBuilder, sql } from "kysely";
import { type JsonValue, toJson } from "../store/json.ts";
import { logWrite } from "../store/log-rows.ts";
import type { SpeculativeEnd } from "./speculation.ts";

/** A top-level execution that has ended before it is stored. */
export interface EndedStart {
  readonly given: { readonly [column: string]: JsonValue };
  readonly end: SpeculativeEnd;
}

/** How far the clock of a process may be behind that of the database, and still say when something began. */
const mostBehind = sql.lit("1 s");

/**
 * CTEs that write such executions with their logs, each as if it had been started, claimed and ended: `ended` has the ids of
 * those that were not there. They began when the process says, as the lines of their logs do, but not after the database's
 * now, nor long before it: lists are in this order.
 */
export function endedStartRows(ended: readonly EndedStart[]): RawBuilder<unknown> {
  const rows = ended.map(({ given, end: { outcome, begunAt } }) => ({
    ...given,
    state: outcome.type,
    result: outcome.type === "done" ? outcome.result : undefined,
    error: outcome.type === "failed" ? outcome.error : undefined,
    log: logWrite(outcome.log ?? []),
    begun_at: begunAt,
  }));
  return sql`ended_given as (
      select given.*, least(now(), greatest(begun_at, now() - interval ${mostBehind})) as began
        from json_to_recordset(${toJson(rows)}::json)
               as given (id text, kind text, subject_id text, user_id text, team_id text, input json, state text,
                         result json, error text, log json, begun_at timestamptz)
    ), ended as (
      insert into executions
        (id, kind, root_id, depth, subject_id, user_id, team_id, input, state, result, error, epoch, revision,
         log_count, log_bytes, created_at, started_at, finished_at)
      select id, kind, id, 0, subject_id, user_id, team_id, input, state,
             case state when 'done' then coalesce(result, 'null') end, error, 1, 1,
             (log ->> 'count')::integer, (log ->> 'bytes')::integer, began, began, now()
        from ended_given
      on conflict (id) do nothing returning id
    ), ended_logs as (
      insert into log_lines (execution_id, seq, text)
      select ended.id, line.last, line.text
        from ended join ended_given given on given.id = ended.id,
             json_to_recordset(given.log -> 'rows') as line (last integer, text text)
    )`;
}
