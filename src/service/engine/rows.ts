import type { Selectable } from "kysely";
import type { ExecutionsTable, StepsTable } from "../store/schema.ts";
import type { Execution, Step } from "./kind.ts";

export type ExecutionRow = Selectable<ExecutionsTable>;

/** A row as the rest of the engine knows it: names, and no columns of its own. */
export function toExecution(row: ExecutionRow): Execution {
  return {
    id: row.id,
    kind: row.kind,
    rootId: row.root_id,
    parentId: row.parent_id,
    depth: row.depth,
    subjectId: row.subject_id,
    userId: row.user_id,
    teamId: row.team_id,
    input: row.input,
    state: row.state,
    result: row.result,
    error: row.error,
    logCount: row.log_count,
    revision: row.revision,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

/** The same of a recorded step. */
export function toStep(row: Selectable<StepsTable>): Step {
  return {
    key: row.key,
    state: row.state,
    output: row.output,
    error: row.error,
    wakeAt: row.wake_at,
    childId: row.child_id,
  };
}
