import type { Migration } from "./index.ts";

/**
 * Calls of tools that a person is asked about. A question is written with the step of the turn that waits for it, and its
 * answer with the end of that step, so that neither is there without the other.
 */
export const approvals: Migration = {
  name: "0038_approvals",
  sql: `
create table approvals (
  id text primary key,
  state text not null default 'waiting'
    check (state in ('waiting', 'approved', 'refused', 'lapsed', 'withdrawn', 'tool_changed')),
  -- the step that waits
  execution_id text not null,
  step_key text not null,
  interaction_id text not null references interactions (id) on delete cascade,
  -- where the conversation shows the call
  message_seq integer not null,
  part_id text not null,
  agent_id text not null,
  -- whose the conversation is
  user_id text,
  team_id text,
  tool_call_id text not null,
  -- the tool as it described itself: name, description, parameters, and its server
  definition json not null,
  definition_hash text not null,
  -- JSON text, as it runs
  arguments text not null,
  who text not null check (who in ('person', 'operators', 'people')),
  -- whom the agent named
  people text[] not null default '{}',
  -- in whose place this is asked, as the tool had changed
  again_for text,
  asked_at timestamptz not null default clock_timestamp(),
  lapses_at timestamptz not null,
  ended_at timestamptz,
  answer text check (answer in ('approve', 'approve_edited', 'refuse')),
  answered_at timestamptz,
  answered_by text,
  reason text,
  edited_arguments text,
  unique (execution_id, step_key),
  check ((state = 'waiting') = (ended_at is null)),
  check ((answer is null) = (answered_at is null))
);
create index approvals_interaction on approvals (interaction_id);
create index approvals_open on approvals (execution_id) where state = 'waiting';
-- The inbox, by whose it is and by who may answer.
create index approvals_waiting_user on approvals (user_id, asked_at, id) where state = 'waiting';
create index approvals_waiting_team on approvals (team_id, asked_at, id) where state = 'waiting';
create index approvals_waiting_person on approvals (user_id, asked_at, id) where state = 'waiting' and who = 'person';
create index approvals_waiting_operators on approvals (team_id, asked_at, id) where state = 'waiting' and who = 'operators';
create index approvals_waiting_people on approvals using gin (people) where state = 'waiting' and who = 'people';
create index approvals_ended_user on approvals (user_id, ended_at desc, id desc) where state <> 'waiting';
create index approvals_ended_team on approvals (team_id, ended_at desc, id desc) where state <> 'waiting';
create index approvals_ended_person on approvals (user_id, ended_at desc, id desc) where state <> 'waiting' and who = 'person';
create index approvals_ended_operators on approvals (team_id, ended_at desc, id desc) where state <> 'waiting' and who = 'operators';
create index approvals_ended_people on approvals using gin (people) where state <> 'waiting' and who = 'people';
-- What was approved last.
create index approvals_approved on approvals (agent_id, tool_call_id, answered_at desc) where state = 'approved';
`,
};
