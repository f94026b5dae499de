import type { Migration } from "./index.ts";

/**
 * Flows ask people as agents do: their questions are rows of the same table, so that there is one inbox. What only a call of a
 * tool has may be missing from now on.
 */
export const flowQuestions: Migration = {
  name: "0041_flow_questions",
  sql: `
alter table approvals
  add column kind text not null default 'tool_call' check (kind in ('tool_call', 'flow')),
  -- the run that asks, and its flow
  add column run_id text references executions (id) on delete cascade,
  add column flow_id text,
  -- what was filled in
  add column form_values json,
  alter column interaction_id drop not null,
  alter column message_seq drop not null,
  alter column part_id drop not null,
  alter column agent_id drop not null,
  alter column tool_call_id drop not null,
  alter column definition_hash drop not null,
  alter column arguments drop not null,
  add constraint approvals_of_tool_call check (kind <> 'tool_call' or (interaction_id is not null and message_seq is not null
    and part_id is not null and agent_id is not null and tool_call_id is not null and definition_hash is not null
    and arguments is not null)),
  add constraint approvals_of_flow check (kind <> 'flow' or (run_id is not null and flow_id is not null));
create index approvals_run on approvals (run_id) where run_id is not null;
`,
};
