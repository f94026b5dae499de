import { type Kysely, type RawBuilder, sql } from "kysely";
import { grouped } from "../store/grouped.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import { logWrite } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import { type AttachedRow, attachedRows } from "./attached-rows.ts";
import type { Claim } from "./claim.ts";
import { turnedFrom } from "./clock-turned-back.ts";
import { Fenced, LimitError, limits } from "./engine-error.ts";
import { wakeJob } from "./jobs.ts";
import type { Step } from "./kind.ts";

/** A step as it is recorded. */
export interface NewStep extends Step {
  /** How long it waits from its record on, in milliseconds. */
  readonly waitMs?: number;
}

/** Steps of one execution that are written together, by the worker that has it. */
export interface StepWrite {
  readonly claim: Claim;
  readonly steps: readonly NewStep[];
  /** Of the log. */
  readonly lines: readonly string[];
  /** Of all of them: written where the last is. */
  readonly rows: readonly AttachedRow[];
}

/** What of a write goes into the statement as JSON. */
const valuesOfSteps = ({ steps, lines, rows }: StepWrite): JsonValue => [
  steps.map(({ output }) => output),
  lines,
  rows.map(({ row }) => row),
];

/** What came of a write; `there`: the last of its steps, or all, had been recorded before. */
export type Recorded = "recorded" | "there" | "fenced" | "log_lines" | "log_bytes";

/**
 * Writes steps of several executions with their log lines in one statement, each if its claim still holds. Where somebody
 * holds the row of one of several, that one is left out, lest it keeps the others waiting.
 * @returns what came of each; of several there is nothing where a claim does not hold, or may not
 */
async function recordTogether(
  db: Kysely<Database>,
  writes: readonly StepWrite[],
): Promise<Map<StepWrite, Recorded>> {
  const logs = new Map(writes.map((write) => [write, logWrite(write.lines)]));
  const isTooLarge = (write: StepWrite) => (logs.get(write)?.bytes ?? 0) > limits.logBytes;
  // No log has room for these: they need not go over the network.
  const refused = writes.filter(isTooLarge).map((write) => [write, "log_bytes"] as const);
  if (refused.length > 0) {
    const others = writes.filter((write) => !isTooLarge(write));
    return new Map([...refused, ...(others.length > 0 ? await recordTogether(db, others) : [])]);
  }
  const given = writes.map((write) => ({
    ...write.claim,
    ...{ log: logs.get(write), last: write.steps.at(-1)?.key },
    steps: write.steps.map((step) => ({
      ...{
        key: step.key,
        state: step.state,
        error: step.error,
        wait_ms: step.waitMs,
        child_id: step.childId,
      },
      output: step.state === "done" ? step.output : undefined,
    })),
  }));
  const isAlone = writes.length === 1;
  const { rows } = await sql<{
    id: string;
    epoch: number;
    made: number;
    lines_full: boolean;
    bytes_full: boolean;
  }>`
    with given as (
      select given.*, (log ->> 'count')::integer as lines, (log ->> 'bytes')::integer as bytes
        from json_to_recordset(${toJson(given)}::json)
               as given (id text, epoch integer, log json, last text, steps json)
    ), held as (
      select given.*, log_count + given.lines > ${sql.lit(limits.logLines)} as lines_full,
             log_bytes + given.bytes > ${sql.lit(limits.logBytes)} as bytes_full
        from executions join given on given.id = executions.id and given.epoch = executions.epoch
       where executions.state = 'running' for no key update of executions${isAlone ? sql`` : sql` skip locked`}
    ), made as (
      insert into steps (execution_id, key, state, output, error, wake_at, turned_from, child_id, finished_at)
      select held.id, key, state, case state when 'done' then coalesce(output, 'null') end, error,
             clock_timestamp() + make_interval(secs => wait_ms / 1000),
             case when wait_ms is not null then ${turnedFrom} end, child_id,
             case when state <> 'waiting' then now() end
        from held, json_to_recordset(held.steps)
               as step (key text, state text, output json, error text, wait_ms float8, child_id text)
       where not (lines_full or bytes_full)
      on conflict (execution_id, key) do nothing returning execution_id, key, wake_at
    ), counted as (
      update executions
         set attempts = 0, revision = revision + 1, log_count = log_count + held.lines,
             log_bytes = log_bytes + held.bytes
        from held where executions.id = held.id and exists (select from made where execution_id = held.id)
      returning executions.id, log_count
    ), written as (
      insert into log_lines (execution_id, seq, text)
      select counted.id, counted.log_count - held.lines + line.last, line.text
        from counted join held on held.id = counted.id,
             json_to_recordset(held.log -> 'rows') as line (last integer, text text)
    )${rowsOf(writes)}
    select id, epoch, lines_full, bytes_full,
           (select count(*) from made where execution_id = id)::integer as made,
           (select count(${wakeJob(sql`execution_id`, sql`key`, sql`wake_at`)}) from made
             where execution_id = id and wake_at is not null) as jobs
      from held
  `.execute(db);
  const found = new Map(rows.map((row) => [`${row.epoch} ${row.id}`, row]));
  return new Map(
    writes.flatMap((write) => {
      const row = found.get(`${write.claim.epoch} ${write.claim.id}`);
      if (row === undefined) return isAlone ? [[write, "fenced"] as const] : [];
      return [[write, outcomeOf(row, write)] as const];
    }),
  );
}

function outcomeOf(
  row: { readonly made: number; readonly lines_full: boolean; readonly bytes_full: boolean },
  { steps }: StepWrite,
): Recorded {
  if (row.lines_full) return "log_lines";
  if (row.bytes_full) return "log_bytes";
  return row.made === steps.length ? "recorded" : "there";
}

function rowsOf(writes: readonly StepWrite[]): RawBuilder<unknown> {
  const recorded = sql`select execution_id from made join held on held.id = execution_id and held.last = key`;
  return attachedRows(writes, recorded);
}

/**
 * Whether a write was recorded by this very call, and not before.
 * @throws Fenced, LimitError
 */
function wasRecorded({ claim }: StepWrite, outcome: Recorded): boolean {
  if (outcome === "fenced") throw new Fenced(claim.id);
  if (outcome === "log_lines" || outcome === "log_bytes") throw new LimitError(outcome);
  return outcome === "recorded";
}

/** What a recorder is told, and whom it tells. */
interface RecordingTogether {
  /** Whose it is: one of theirs holds up no other's. */
  readonly tenantOf: (id: string) => string;
  /** Called after each statement, with how long it took. */
  readonly onRecorded: (seconds: number) => void;
}

/**
 * Writes the steps of executions with others of the same moment, in one statement.
 * @returns as `recordSteps`
 */
export function createRecorder(db: Kysely<Database>, { tenantOf, onRecorded }: RecordingTogether) {
  const together = grouped(
    async (writes: readonly StepWrite[]) => {
      const begun = performance.now();
      const recorded = await recordTogether(db, writes);
      onRecorded((performance.now() - begun) / 1_000);
      return recorded;
    },
    { tenantOf: ({ claim }) => tenantOf(claim.id), valuesOf: valuesOfSteps },
  );
  return async (write: StepWrite): Promise<boolean> => {
    const outcome = await together(write);
    return outcome === undefined ? recordSteps(db, write) : wasRecorded(write, outcome);
  };
}

/**
 * Writes the steps of one execution, if its claim still holds; in the caller's transaction where it is one.
 * @returns false when the last of them, or all, are recorded already: nothing was written
 * @throws Fenced, LimitError
 */
export async function recordSteps(db: Kysely<Database>, write: StepWrite): Promise<boolean> {
  return wasRecorded(write, (await recordTogether(db, [write])).get(write) ?? "fenced");
}
