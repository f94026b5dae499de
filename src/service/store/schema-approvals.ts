import type { ColumnType, Generated } from "kysely";
import type { JsonValue } from "./json.ts";
import type { Json } from "./schema.ts";

export type ApprovalState = "waiting" | "approved" | "refused" | "lapsed" | "withdrawn" | "tool_changed";
export type ApprovalAnswer = "approve" | "approve_edited" | "refuse";
export type ApprovalRule = "person" | "operators" | "people";

/** Questions to people about calls of tools. Written by turns and by answers, in SQL of their own. */
export interface ApprovalsTable {
  id: string;
  state: Generated<ApprovalState>;
  execution_id: string;
  step_key: string;
  interaction_id: string;
  message_seq: number;
  part_id: string;
  agent_id: string;
  user_id: string | null;
  team_id: string | null;
  tool_call_id: string;
  definition: Json<{ readonly [key: string]: JsonValue }>;
  definition_hash: string;
  arguments: string;
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
}
