import { type Kysely, type RawBuilder, sql } from "kysely";
import { type JsonValue, toJson } from "../store/json.ts";
import { logWrite } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import { type AttachedRow, attachedRows } from "./attached-rows.ts";
import type { Claim } from "./claim.ts";
import type { Outcome } from "./kind.ts";
import type { ExecutionRow } from "./rows.ts";

/** How an execution that nobody killed ends. */
export type Ended = Exclude<Outcome, { type: "waiting" }>;

/** The end of an execution by the worker that has it. */
export interface ExecutionEnd {
  readonly claim: Claim;
  readonly outcome: Ended;
  /** Of steps that need no record any more, and of the end itself. */
  readonly rows: readonly AttachedRow[];
}

/** What of an end goes into the statement as JSON. */
export const valuesOfEnd = ({ outcome, rows }: ExecutionEnd): JsonValue => [
  outcome.type === "done" ? outcome.result : outcome.error,
  outcome.log ?? [],
  rows.map(({ row }) => row),
];

/**
 * Ends executions in one statement, with the last lines of their logs and their rows, each if its claim still holds.
 * @returns the rows of those that were still ours, as they are now
 */
export function endExecutions(db: Kysely<Database>, ends: readonly ExecutionEnd[]): Promise<ExecutionRow[]> {
  return endReturning<ExecutionRow>(db, ends, sql`select * from counted`, sql`false`);
}

/**
 * The same, where nobody looks at the rows: what went in and came out may be large.
 * @param endsApart of their kind: those for which it holds do not end
 * @returns which ended and which did not for that; none of those that were no longer ours
 */
export async function endInOneStatement(
  db: Kysely<Database>,
  ends: readonly ExecutionEnd[],
  endsApart: RawBuilder<unknown> = sql`false`,
): Promise<Map<string, "ended" | "apart">> {
  interface Held {
    readonly id: string;
    readonly is_apart: boolean;
  }
  const rows = await endReturning<Held>(db, ends, sql`select id, is_apart from held`, endsApart);
  return new Map(rows.map(({ id, is_apart }) => [id, is_apart ? "apart" : "ended"]));
}

async function endReturning<Row>(
  db: Kysely<Database>,
  ends: readonly ExecutionEnd[],
  answer: RawBuilder<unknown>,
  endsApart: RawBuilder<unknown>,
): Promise<Row[]> {
  const given = ends.map(({ claim, outcome }) => ({
    ...claim,
    state: outcome.type,
    result: outcome.type === "done" ? outcome.result : undefined,
    error: outcome.type === "failed" ? outcome.error : undefined,
    log: logWrite(outcome.log ?? []),
  }));
  // The engine asks nobody for what is done; its kind withdraws what it had asked itself.
  const hasFailed = ends.some(({ outcome }) => outcome.type === "failed");
  // Rows are locked in an order, lest two groups wait for each other. What is locked has been looked at again.
  const { rows } = await sql<Row>`
    with given as (
      select given.*, (log ->> 'count')::integer as lines, (log ->> 'bytes')::integer as bytes
        from json_to_recordset(${toJson(given)}::json)
               as given (id text, epoch integer, state text, result json, error text, log json)
    ), held as (
      select given.*, coalesce(${endsApart}, true) as is_apart
        from executions join given on given.id = executions.id and given.epoch = executions.epoch
       where executions.state = 'running' order by executions.id for no key update of executions
    ), counted as (
      update executions
         set state = held.state, result = case held.state when 'done' then coalesce(held.result, 'null') end,
             error = held.error, owner = null, lease = null, finished_at = greatest(now(), created_at),
             revision = revision + 1, log_count = log_count + held.lines, log_bytes = log_bytes + held.bytes
        from held where executions.id = held.id and not is_apart returning executions.*
    ), written as (
      insert into log_lines (execution_id, seq, text)
      select counted.id, counted.log_count - given.lines + line.last, line.text
        from counted join given on given.id = counted.id,
             json_to_recordset(given.log -> 'rows') as line (last integer, text text)
    ), ${abandonedSteps}${hasFailed ? sql`, ${abandonedQuestions}` : sql``}${attachedRows(ends, sql`select id as execution_id from counted`)}
    ${answer}
  `.execute(db);
  return rows;
}

/** A CTE for what the rows of the CTE `counted` still waited for: nobody will look at it again. */
export const abandonedSteps = sql`abandoned as (
      update steps set state = 'failed', error = 'it ended before this did', finished_at = now()
        from counted where execution_id = counted.id and steps.state = 'waiting'
    )`;

/** The same of what they still asked people: nobody waits for an answer. */
export const abandonedQuestions = sql`abandoned_questions as (
      update approvals set state = 'withdrawn', ended_at = clock_timestamp()
        from counted where execution_id = counted.id and approvals.state = 'waiting'
    )`;
