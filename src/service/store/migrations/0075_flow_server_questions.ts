import type { Migration } from "./index.ts";

/** MCP servers ask in the calls of flows as well: such a question has its run where others have their conversation. */
export const flowServerQuestions: Migration = {
  name: "0075_flow_server_questions",
  sql: `
alter table approvals
  drop constraint approvals_of_tool_call,
  add constraint approvals_of_tool_call check (kind not in ('tool_call', 'server')
    or (tool_call_id is not null and definition_hash is not null and arguments is not null
        and ((interaction_id is not null and message_seq is not null and part_id is not null and agent_id is not null)
             or (kind = 'server' and run_id is not null and flow_id is not null))));
`,
};
