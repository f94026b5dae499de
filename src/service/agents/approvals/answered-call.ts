import type { QuestionRow } from "../../questions/answer.ts";
import type { StepAnswer } from "./ask.ts";

/** What a question about a call of a tool has, as the table holds it for every one of them. */
export type CallRow = QuestionRow & {
  readonly [column in
    | "interaction_id"
    | "part_id"
    | "agent_id"
    | "tool_call_id"
    | "definition_hash"
    | "arguments"]: string;
} & { readonly message_seq: number };

/** Whether the server of a tool that was called asks. */
export function isOfServer<Row extends QuestionRow>(row: Row): row is Row & CallRow {
  return row.kind === "server";
}

/** Whether a question is about a call of a tool. */
export function isCall<Row extends QuestionRow>(row: Row): row is Row & CallRow {
  return row.kind === "tool_call";
}

/** What the step that waited ends with. */
export function callAnswer(row: QuestionRow & CallRow): NonNullable<StepAnswer> {
  if (row.answer !== "approve" && row.answer !== "approve_edited")
    return { answer: "refuse", reason: row.reason };
  return {
    answer: row.answer,
    argumentsText: row.edited_arguments ?? row.arguments,
    definitionHash: row.definition_hash,
    at: (row.answered_at ?? new Date(0)).toISOString(),
  };
}
