import { type Selectable, sql } from "kysely";
import { endWaitingStep } from "../engine/wake.ts";
import { type JsonValue, storableText, toJson } from "../store/json.ts";
import type { ApprovalAnswer, ApprovalsTable, FormValues } from "../store/schema-approvals.ts";
import type { Store, Tx } from "../store/store.ts";

export type QuestionRow = Selectable<ApprovalsTable>;

/** An answer as it was sent; whoever may answer was asked before. */
export interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  readonly userId: string;
  /** Of `approve_edited`: JSON text as it runs. */
  readonly editedText: string | null;
  /** Of an approved form: as it was checked. */
  readonly values: FormValues | null;
  readonly reason: string | null;
}

const states = {
  approve: "approved",
  approve_edited: "approved",
  refuse: "refused",
  leave: "refused",
} as const;

/**
 * Answers a question, if it still waits: of any number of answers at once one is written, and with it the end of the step
 * that waits. The execution's row is locked first, as its end locks it before it withdraws what was asked.
 * @param outputOf what the step ends with
 * @param within done in the same transaction, where it counts
 * @returns false where it does not wait any more: nothing has changed
 */
export async function answerQuestion(
  { db }: Pick<Store, "db">,
  { id, execution_id }: Pick<QuestionRow, "id" | "execution_id">,
  { answer, userId, editedText, values, reason }: GivenAnswer,
  outputOf: (answered: QuestionRow) => JsonValue,
  within?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const note = reason === null ? null : storableText(reason);
  const filledIn = values === null ? null : toJson(values);
  return await db.transaction().execute(async (tx) => {
    await lockExecution(tx, execution_id);
    const { rows } = await sql<QuestionRow>`
      with answered as (
        update approvals
           set state = ${states[answer]}, answer = ${answer}, answered_by = ${userId}, reason = ${note},
               edited_arguments = ${editedText}, form_values = ${filledIn}::json, answered_at = clock_timestamp(),
               ended_at = clock_timestamp()
         where id = ${id} and state = 'waiting' and lapses_at > clock_timestamp() and ${stepWaits} returning *
      ), touched as (
        update interactions set revision = revision + 1 from answered where interactions.id = answered.interaction_id
      )
      select * from answered`.execute(tx);
    const [row] = rows;
    if (row === undefined) return false;
    await endStep(tx, row, outputOf(row));
    await within?.(tx);
    return true;
  });
}

/**
 * Ends a question without an answer, as the tool is not what was asked about any more: nothing of it runs.
 * @param output what the step ends with
 * @returns whether it waited
 */
export async function closeChanged(
  { db }: Pick<Store, "db">,
  { id, execution_id }: Pick<QuestionRow, "id" | "execution_id">,
  output: JsonValue,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await lockExecution(tx, execution_id);
    const { rows } = await sql<QuestionRow>`
      update approvals set state = 'tool_changed', ended_at = clock_timestamp()
       where id = ${id} and state = 'waiting' and lapses_at > clock_timestamp() and ${stepWaits} returning *`.execute(
      tx,
    );
    const [row] = rows;
    if (row === undefined) return false;
    await endStep(tx, row, output);
    return true;
  });
}

const stepWaits = sql`exists (
  select from steps where steps.execution_id = approvals.execution_id and key = step_key and steps.state = 'waiting')`;

/** What is over has no step that waits. */
async function lockExecution(tx: Tx, executionId: string): Promise<void> {
  await sql`select from executions where id = ${executionId} for no key update`.execute(tx);
}

const endStep = (tx: Tx, { execution_id, step_key }: QuestionRow, output: JsonValue) =>
  endWaitingStep(tx, execution_id, step_key, { state: "done", output });
