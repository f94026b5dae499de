import { type Selectable, sql } from "kysely";
import { endWaitingStep } from "../../engine/wake.ts";
import { storableText } from "../../store/json.ts";
import type { ApprovalAnswer, ApprovalsTable } from "../../store/schema-approvals.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { StepAnswer } from "./ask.ts";

export type ApprovalRow = Selectable<ApprovalsTable>;

/** An answer as it was sent; whoever may answer was asked before. */
export interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  readonly userId: string;
  /** Of `approve_edited`: JSON text as it runs. */
  readonly editedText: string | null;
  readonly reason: string | null;
}

const states = { approve: "approved", approve_edited: "approved", refuse: "refused" } as const;

/**
 * Answers a question, if it still waits: of any number of answers at once one is written, and with it the end of the step
 * that waits. The execution's row is locked first, as its end locks it before it withdraws what was asked.
 * @returns false where it does not wait any more: nothing has changed
 */
export async function answerApproval(
  { db }: Pick<Store, "db">,
  { id, execution_id }: Pick<ApprovalRow, "id" | "execution_id">,
  { answer, userId, editedText, reason }: GivenAnswer,
): Promise<boolean> {
  const note = reason === null ? null : storableText(reason);
  return await db.transaction().execute(async (tx) => {
    if (!(await isAlive(tx, execution_id))) return false;
    const { rows } = await sql<ApprovalRow>`
      with answered as (
        update approvals
           set state = ${states[answer]}, answer = ${answer}, answered_by = ${userId}, reason = ${note},
               edited_arguments = ${editedText}, answered_at = clock_timestamp(), ended_at = clock_timestamp()
         where id = ${id} and state = 'waiting' and lapses_at > clock_timestamp() and ${stepWaits} returning *
      ), touched as (
        update interactions set revision = revision + 1 from answered where interactions.id = answered.interaction_id
      )
      select * from answered`.execute(tx);
    const [row] = rows;
    if (row === undefined) return false;
    await endStep(tx, row, stepAnswerOf(row));
    return true;
  });
}

/** That nothing of it runs, as the tool is not what was asked about any more: the turn asks again. @returns whether it waited */
export async function closeChanged(
  { db }: Pick<Store, "db">,
  { id, execution_id }: Pick<ApprovalRow, "id" | "execution_id">,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    if (!(await isAlive(tx, execution_id))) return false;
    const { rows } = await sql<ApprovalRow>`
      update approvals set state = 'tool_changed', ended_at = clock_timestamp()
       where id = ${id} and state = 'waiting' and lapses_at > clock_timestamp() and ${stepWaits} returning *`.execute(
      tx,
    );
    const [row] = rows;
    if (row === undefined) return false;
    await endStep(tx, row, { answer: "tool_changed" });
    return true;
  });
}

const stepWaits = sql`exists (
  select from steps where steps.execution_id = approvals.execution_id and key = step_key and steps.state = 'waiting')`;

async function isAlive(tx: Tx, executionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from executions where id = ${executionId} and finished_at is null for no key update`.execute(tx);
  return rows.length === 1;
}

function stepAnswerOf(row: ApprovalRow): NonNullable<StepAnswer> {
  if (row.answer === null || row.answer === "refuse") return { answer: "refuse", reason: row.reason };
  return {
    answer: row.answer,
    argumentsText: row.edited_arguments ?? row.arguments,
    definitionHash: row.definition_hash,
    at: (row.answered_at ?? new Date(0)).toISOString(),
  };
}

const endStep = (tx: Tx, { execution_id, step_key }: ApprovalRow, output: NonNullable<StepAnswer>) =>
  endWaitingStep(tx, execution_id, step_key, { state: "done", output: { ...output } });
