import { type Selectable, sql } from "kysely";
import type { InboxSummary } from "../../contract/inbox.ts";
import type { Context } from "../context.ts";
import { mayAnswer, maySeeApproval } from "../permission/approvals.ts";
import type { QuestionRow } from "../questions/answer.ts";
import type { JsonValue } from "../store/json.ts";
import { anyIn } from "../store/prepared.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Caller } from "./handler.ts";
import { isThere, isWaiting } from "./inbox-list.ts";
import { inOrder } from "./newest.ts";
import { cutInputs, flowName } from "./run-rows.ts";

/** A question with what it is about, for one caller. */
export interface SeenQuestion extends QuestionRow {
  readonly agent_name: string | null;
  readonly alias: string | null;
  readonly session_name: Selectable<InteractionsTable>["name"] | null;
  readonly flow_name: string;
  /** Of the run, cut; null where none asks. */
  readonly run_inputs: Record<string, JsonValue> | null;
  readonly team_name: string | null;
  readonly may_answer: boolean;
  readonly is_waiting: boolean;
}

/**
 * What is read of questions: all; what a list shows; or the same without what was filled in and edited, which may be long, and in
 * whose place stands what is another with each change.
 */
export type Reading = "whole" | "listed" | "marked";

/** Characters of arguments that a list shows. */
export const previewCharacters = 300;

/** In place of what `selectAll` reads: of columns of one name the last one counts. */
const listedColumns = [
  sql<string | null>`left(approvals.arguments, ${sql.lit(previewCharacters)})`.as("arguments"),
  sql<QuestionRow["definition"]>`json_build_object(
    'name', definition -> 'name', 'server', definition -> 'server', 'link', definition -> 'link',
    'question', definition -> 'question', 'details', null, 'fields', json_build_array(), 'description', '',
    'parameters', json_build_object())`.as("definition"),
];
const markedColumns = [
  sql<string | null>`approvals.xmin::text`.as("edited_arguments"),
  sql<QuestionRow["form_values"]>`null::json`.as("form_values"),
];

/** Those of these questions that the caller may see, in this order. */
export async function seenQuestions(
  { store, approvals }: Context,
  caller: Caller,
  ids: readonly string[],
  reading: Reading = "whole",
): Promise<SeenQuestion[]> {
  if (ids.length === 0) return [];
  const rows = await store.db
    .selectFrom("approvals")
    .leftJoin("agents", "agents.id", "approvals.agent_id")
    .leftJoin("interactions", "interactions.id", "approvals.interaction_id")
    .leftJoin("executions", "executions.id", "approvals.run_id")
    .leftJoin("teams", "teams.id", "approvals.team_id")
    .selectAll("approvals")
    .select(["agents.name as agent_name", "agents.alias", "interactions.name as session_name"])
    .select([flowName.as("flow_name"), cutInputs.as("run_inputs")])
    .select(["teams.name as team_name", isWaiting.as("is_waiting")])
    .select(mayAnswer(caller, approvals.operators).as("may_answer"))
    .$if(reading !== "whole", (rows) => rows.select(listedColumns))
    .$if(reading === "marked", (rows) => rows.select(markedColumns))
    .where("approvals.id", "=", anyIn(ids))
    .where(isThere)
    .where(maySeeApproval(caller, approvals.operators))
    .execute();
  return inOrder(ids, rows);
}

/** The run of a flow whose node asks, or calls the tool whose server asks. */
export function runOf(row: SeenQuestion, mayRead: boolean): NonNullable<InboxSummary["run"]> {
  return {
    run_id: row.run_id ?? row.execution_id,
    saved_item_id: row.flow_id ?? "",
    saved_item_name: row.flow_name,
    node: nodeOf(row.step_key),
    readable: mayRead,
    ...(mayRead && { inputs: row.run_inputs ?? {} }),
  };
}

/** The node whose step this is. */
const nodeOf = (stepKey: string): string => stepKey.split("/")[0] ?? stepKey;

/** What has become of a question: one whose time is over has lapsed, whether its turn or run has heard of it or not. */
export function stateOf(row: Pick<SeenQuestion, "state" | "is_waiting">): QuestionRow["state"] {
  return row.state === "waiting" && !row.is_waiting ? "lapsed" : row.state;
}
