import type { ColumnType, Generated } from "kysely";
import type { JsonValue } from "./json.ts";
import type { Json, NullableJson } from "./schema.ts";

export type ApprovalState = "waiting" | "approved" | "refused" | "lapsed" | "withdrawn" | "tool_changed";
export type ApprovalAnswer = "approve" | "approve_edited" | "refuse" | "leave";
/** What asks: a turn before it calls a tool, a flow, or the MCP server of a tool that a turn has called. */
export type QuestionKind = "tool_call" | "flow" | "server";
export type ApprovalRule = "person" | "operators" | "people";

/** What was filled in, by the names of the fields. */
export type FormValues = Readonly<Record<string, string | number | boolean | string[] | null>>;

/** Questions to people, of turns about calls of tools and of flows. Written by what asks and by answers, in SQL of their own. */
export interface ApprovalsTable {
  id: string;
  kind: Generated<QuestionKind>;
  state: Generated<ApprovalState>;
  execution_id: string;
  step_key: string;
  interaction_id: string | null;
  message_seq: number | null;
  part_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  flow_id: string | null;
  user_id: string | null;
  team_id: string | null;
  tool_call_id: string | null;
  definition: Json<{ readonly [key: string]: JsonValue }>;
  definition_hash: string | null;
  arguments: string | null;
  who: ApprovalRule;
  people: Generated<string[]>;
  again_for: string | null;
  asked_at: Generated<Date>;
  lapses_at: ColumnType<Date, Date | string, Date | string>;
  turned_from: ColumnType<Date | null, never, never>;
  ended_at: Date | null;
  answer: ApprovalAnswer | null;
  answered_at: Date | null;
  answered_by: string | null;
  reason: string | null;
  edited_arguments: string | null;
  form_values: NullableJson<FormValues>;
  /** What was spent in all that waits with it when it was asked; a trigger adds it up. */
  tokens: Generated<string>;
}
