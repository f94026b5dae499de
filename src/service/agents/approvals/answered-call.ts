import type { QuestionRow } from "../../questions/answer.ts";
import type { StepAnswer } from "./ask.ts";

/** What a question about a tool has, as the table holds it for every one of them. */
export type ToolRow = QuestionRow & {
  readonly [column in "tool_call_id" | "definition_hash" | "arguments"]: string;
};

/** What one of a conversation has beside that. */
export type CallRow = ToolRow & {
  readonly [column in "interaction_id" | "part_id" | "agent_id"]: string;
} & { readonly message_seq: number };

/** Whether the server of a tool that was called asks, by a turn or by a run. */
export function isOfServer<Row extends QuestionRow>(row: Row): row is Row & ToolRow {
  return row.kind === "server";
}

/** Whether it is about a call that a conversation shows. */
export function isOfConversation<Row extends QuestionRow>(row: Row): row is Row & CallRow {
  return isCall(row) || (isOfServer(row) && row.interaction_id !== null);
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
