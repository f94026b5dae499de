import type { ColumnType, Generated } from "kysely";
import type { JsonValue } from "./json.ts";
import type { Json, NullableJson } from "./schema.ts";

export type ApprovalState = "waiting" | "approved" | "refused" | "lapsed" | "withdrawn" | "tool_changed";
export type ApprovalAnswer = "approve" | "approve_edited" | "refuse";
/** What asks: a turn before it calls a tool, or a flow. */
export type QuestionKind = "tool_call" | "flow";
export type ApprovalRule = "person" | "operators" | "people";

/** What was filled in, by the names of the fields. */
export type FormValues = Readonly<Record<string, string | number | boolean | null>>;

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
  ended_at: Date | null;
  answer: ApprovalAnswer | null;
  answered_at: Date | null;
  answered_by: string | null;
  reason: string | null;
  edited_arguments: string | null;
  form_values: NullableJson<FormValues>;
}
