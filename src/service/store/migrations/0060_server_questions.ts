import type { Migration } from "./index.ts";

/** Questions of MCP servers, in the same inbox: asked in the middle of a call, and answered by a person or left. */
export const serverQuestions: Migration = {
  name: "0060_server_questions",
  sql: `
alter table approvals
  drop constraint approvals_kind_check,
  drop constraint approvals_answer_check,
  drop constraint approvals_of_tool_call,
  add constraint approvals_kind_check check (kind in ('tool_call', 'flow', 'server')),
  add constraint approvals_answer_check check (answer in ('approve', 'approve_edited', 'refuse', 'leave')),
  add constraint approvals_of_tool_call check (kind not in ('tool_call', 'server') or (interaction_id is not null
    and message_seq is not null and part_id is not null and agent_id is not null and tool_call_id is not null
    and definition_hash is not null and arguments is not null));
`,
};
