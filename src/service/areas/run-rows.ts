import { type Kysely, type RawBuilder, sql } from "kysely";
import type { RunSummary } from "../../contract/runs.ts";
import { type PersonRow, showPerson } from "../agents/agent-view.ts";
import type { ExecutionOwner } from "../permission/executions.ts";
import { longest } from "../pipelines/run-parts.ts";
import type { JsonValue } from "../store/json.ts";
import type { Database, ExecutionState } from "../store/schema.ts";
import { timestamp } from "./times.ts";

/** What the wire says of a run's state (§3.2). A run that no worker has had yet is `STARTED`. */
export function wireState(state: ExecutionState, startedAt: Date | null): string {
  switch (state) {
    case "done":
      return "DONE";
    case "failed":
      return "FAILED";
    case "terminated":
      return "TERMINATED";
    case "queued":
      return startedAt === null ? "STARTED" : "RUNNING";
    case "running":
    case "waiting":
      return "RUNNING";
  }
}

/** The rows in that wire state, as a condition; unknown states have no rows. */
export function stateCondition(state: string): RawBuilder<boolean> {
  switch (state) {
    case "DONE":
      return sql`executions.state = 'done'`;
    case "FAILED":
      return sql`executions.state = 'failed'`;
    case "TERMINATED":
      return sql`executions.state = 'terminated'`;
    case "STARTED":
      return sql`(executions.state = 'queued' and executions.started_at is null)`;
    case "RUNNING":
      return sql`(executions.finished_at is null and not (executions.state = 'queued' and executions.started_at is null))`;
    default:
      return sql`false`;
  }
}

/** The flow's name as it was when the run started. */
export const flowName = sql<string>`coalesce(executions.input ->> 'name', '')`;

/** Inputs by name with long values cut to their beginning. */
export const cutInputs = sql<Record<string, JsonValue> | null>`(
  select json_object_agg(key, case when length(value::text) <= 300 then value
                                    else to_json(left(value #>> '{}', 200) || '…') end)
    from json_each(executions.input -> 'inputs'))`;

/** Inputs that have to be read piece by piece. */
export const inputsAreLong = sql<boolean>`coalesce(
  octet_length((executions.input -> 'inputs')::text) > ${sql.lit(longest)}, false)`;

/** Inputs by name, whole, unless they are long. */
export const wholeInputs = sql<Record<string, JsonValue> | null>`(
  case when not ${inputsAreLong} then executions.input -> 'inputs' end)`;

/** Whether a question of it waits in the inbox. */
const asks = sql<boolean>`(executions.finished_at is null and exists (
  select from approvals where approvals.run_id = executions.id and approvals.state = 'waiting'))`;

/** Rows of runs, with the run above each where there is one; `inputs` as asked for. */
export function selectRuns(db: Kysely<Database>, inputs: typeof cutInputs) {
  return db
    .selectFrom("executions")
    .leftJoin("executions as parent", (join) =>
      join.onRef("parent.id", "=", "executions.parent_id").on("parent.kind", "=", "pipeline"),
    )
    .where("executions.kind", "=", "pipeline")
    .select([
      "executions.id",
      "executions.subject_id",
      "executions.state",
      "executions.user_id",
      "executions.team_id",
      "executions.error",
      "executions.log_count",
      "executions.created_at",
      "executions.started_at",
      "executions.finished_at",
      "parent.id as parent_id",
      flowName.as("name"),
      asks.as("asks"),
      inputs.as("inputs"),
    ]);
}

export type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>["execute"]>>[number];

/** Whose a run is, for the rules of `permission`. */
export function runOwner(row: { user_id: string | null; team_id: string | null }): ExecutionOwner {
  return { userId: row.user_id, teamId: row.team_id };
}

/** @param people those of `loadPeople`, with whoever started the run */
export function showRun(row: RunRow, people: ReadonlyMap<string, PersonRow>) {
  const creator = row.user_id === null ? undefined : people.get(row.user_id);
  return {
    run_id: row.id,
    saved_item_id: row.subject_id,
    saved_item_name: row.name,
    state: wireState(row.state, row.started_at),
    created_ts: timestamp(row.created_at),
    finished_ts: row.finished_at === null ? null : timestamp(row.finished_at),
    user_id: row.user_id,
    creator: creator === undefined ? null : showPerson(creator),
    project_id: row.team_id,
    inputs: row.inputs ?? {},
    error: row.state === "failed" ? row.error : null,
    parent_run_id: row.parent_id,
    log_lines: row.log_count,
    waiting_for_people: row.asks,
  } satisfies RunSummary;
}
