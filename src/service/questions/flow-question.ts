import { z } from "zod";
import type { FormField } from "../../contract/form-fields.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ApprovalRule } from "../store/schema-approvals.ts";
import type { QuestionRow } from "./answer.ts";

/** What a node of a flow asks people, with every template filled in. */
export interface FlowQuestion {
  readonly id: string;
  readonly question: string;
  readonly details: string | null;
  readonly fields: readonly (FormField | JsonObject)[];
  readonly who: ApprovalRule;
  /** Ids, for the rule `people`. */
  readonly people: readonly string[];
  readonly lapseSeconds: number;
  /** The MCP server whose words these are, which asks in the middle of a call; null: the flow asks itself. */
  readonly call: AskingCall | null;
}

/** The call of a node in which a server asks. */
export interface AskingCall {
  readonly toolCallId: string;
  /** The tool, as its server calls it. */
  readonly name: string;
  readonly server: { readonly id: string; readonly credentials: "personal" | "team" };
  /** A page that the person is to open; null: it asks for a form. */
  readonly link: { readonly url: string; readonly host: string } | null;
  /** Of all that it asks. */
  readonly digest: string;
  /** JSON text of what the tool was called with. */
  readonly argumentsText: string;
}

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable();
const bound = z.union([z.number(), z.string()]).nullable();

const storedField = z.object({
  name: z.string(),
  type: z.string(),
  label: z.string(),
  help: z.string().nullable(),
  required: z.boolean(),
  default: value,
  min: bound,
  max: bound,
  whole: z.boolean(),
  choices: z.array(z.string()),
  choice_labels: z.array(z.string()).nullish(),
  format: z.string().nullish(),
});

/** The words of a question as they were written with it. */
const storedQuestion = z.object({
  question: z.string(),
  details: z.string().nullable(),
  fields: z.array(storedField),
});
export type StoredQuestion = z.output<typeof storedQuestion>;

/** What a flow or server asked: its question, what it adds to it, and the fields of its form. */
export function questionOf(row: Pick<QuestionRow, "definition">): StoredQuestion {
  return storedQuestion.parse(row.definition);
}

const titleCharacters = 300;

/** The same on one line. */
export function titleOf(row: Pick<QuestionRow, "definition">): string {
  const line = questionOf(row).question.replaceAll(/\s+/g, " ").trim();
  return [...line].slice(0, titleCharacters).join("");
}

/** What was filled in, by the names of the fields. */
export const formValuesOf = z.record(z.string(), value);

/** How a question of a flow was answered, as the end of the step that waited; by time alone it is null. */
const flowAnswer = z
  .object({
    outcome: z.enum(["approved", "refused"]),
    values: formValuesOf,
    reason: z.string().nullable(),
    by: z.object({ id: z.string(), name: z.string(), email: z.string().nullable() }),
    at: z.string(),
  })
  .nullable();
export type FlowAnswer = z.output<typeof flowAnswer>;

/** @param output of a step that has ended @returns null where nobody answered in time */
export function readFlowAnswer(output: JsonValue): FlowAnswer {
  return flowAnswer.parse(output);
}

/**
 * What the step that waited ends with.
 * @param by who answered, as people are known
 */
export function flowAnswerOf(row: QuestionRow, by: NonNullable<FlowAnswer>["by"]): NonNullable<FlowAnswer> {
  return {
    outcome: row.state === "approved" ? "approved" : "refused",
    values: { ...row.form_values },
    reason: row.reason,
    by,
    at: (row.answered_at ?? new Date(0)).toISOString(),
  };
}
