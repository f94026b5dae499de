import { type Kysely, type RawBuilder, sql } from "kysely";
import { toJson } from "../store/json.ts";
import { type LogWrite, logWrite } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import { Fenced, LimitError, limits } from "./engine-error.ts";
import { wakeJob } from "./jobs.ts";
import type { Step } from "./kind.ts";

/** One worker's hold on an execution: whoever claims it next has the next epoch. */
export interface Claim {
  readonly id: string;
  readonly epoch: number;
}

/** Rows that are written in the statement that records a step, or not at all: see `StepOptions`. */
export type RowsOfStep = RawBuilder<unknown>;

/**
 * Writes steps and their log lines in one statement, if the claim still holds.
 * @param rows of the last step
 * @returns false when the last of them, or all, are recorded already: nothing was written
 * @throws Fenced, LimitError
 */
export async function recordSteps(
  db: Kysely<Database>,
  { id, epoch }: Claim,
  steps: readonly Step[],
  lines: readonly string[] = [],
  rows?: RowsOfStep,
): Promise<boolean> {
  const written = logWrite(lines);
  const given = steps.map((step) => ({
    ...{ key: step.key, state: step.state, error: step.error, wake_at: step.wakeAt, child_id: step.childId },
    output: step.state === "done" ? step.output : undefined,
  }));
  const result = await sql<{ held: number; made: number; lines_full: boolean; bytes_full: boolean }>`
    with held as (
      select ${overLines(written)} as lines_full, ${overBytes(written)} as bytes_full
        from executions where id = ${id} and epoch = ${epoch} and state = 'running' for no key update
    ), made as (
      insert into steps (execution_id, key, state, output, error, wake_at, child_id, finished_at)
      select ${id}, key, state, case state when 'done' then coalesce(output, 'null') end, error, wake_at, child_id,
             case when state <> 'waiting' then now() end
        from held, json_to_recordset(${toJson(given)}::json)
               as step (key text, state text, output json, error text, wake_at timestamptz, child_id text)
       where not (lines_full or bytes_full)
      on conflict (execution_id, key) do nothing returning execution_id, key, wake_at
    ), counted as (
      update executions set attempts = 0, revision = revision + 1, ${countLines(written)}
       where id = ${id} and exists (select from made) returning id, log_count
    ), ${writtenLines(written)}${rows === undefined ? sql`` : withRows(steps.at(-1)?.key ?? "", rows)}
    select (select count(*) from held)::integer as held, (select count(*) from made)::integer as made,
           coalesce((select lines_full from held), false) as lines_full,
           coalesce((select bytes_full from held), false) as bytes_full,
           (select count(${wakeJob(sql`execution_id`, sql`key`, sql`wake_at`)}) from made where wake_at is not null) as jobs
  `.execute(db);
  const row = result.rows[0];
  if (row?.held !== 1) throw new Fenced(id);
  if (row.lines_full) throw new LimitError("log_lines");
  if (row.bytes_full) throw new LimitError("log_bytes");
  return row.made === steps.length;
}

const withRows = (key: string, rows: RowsOfStep) =>
  sql`, recorded as (select execution_id from made where key = ${key}), ${rows}`;

/**
 * Appends lines to the log, if the claim still holds.
 * @throws Fenced, LimitError
 */
export async function appendLog(
  db: Kysely<Database>,
  { id, epoch }: Claim,
  lines: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  const written = logWrite(lines);
  const result = await sql<{ held: number; lines_full: boolean; bytes_full: boolean }>`
    with held as (
      select ${overLines(written)} as lines_full, ${overBytes(written)} as bytes_full
        from executions where id = ${id} and epoch = ${epoch} and state = 'running' for no key update
    ), counted as (
      update executions set revision = revision + 1, ${countLines(written)}
       where id = ${id} and exists (select from held where not (lines_full or bytes_full)) returning id, log_count
    ), ${writtenLines(written)}
    select count(*)::integer as held, bool_or(lines_full) as lines_full, bool_or(bytes_full) as bytes_full from held
  `.execute(db);
  const row = result.rows[0];
  if (row?.held !== 1) throw new Fenced(id);
  if (row.lines_full) throw new LimitError("log_lines");
  if (row.bytes_full) throw new LimitError("log_bytes");
}

/** For the SET of an update of executions: counts the lines in the statement that writes them, so there are no gaps. */
export const countLines = ({ count, bytes }: LogWrite) =>
  sql`log_count = log_count + ${count}, log_bytes = log_bytes + ${bytes}`;

/** A CTE that writes the lines of each row of the CTE `counted (id, log_count)`. */
export const writtenLines = ({ count, rows }: LogWrite) => sql`written as (
      insert into log_lines (execution_id, seq, text)
      select counted.id, counted.log_count - ${count} + line.last, line.text
        from counted, unnest(${rows.map(({ last }) => last)}::integer[], ${rows.map(({ text }) => text)}::text[])
               as line (last, text)
    )`;

const overLines = ({ count }: LogWrite) => sql`log_count + ${count} > ${sql.lit(limits.logLines)}`;
const overBytes = ({ bytes }: LogWrite) => sql`log_bytes + ${bytes} > ${sql.lit(limits.logBytes)}`;
