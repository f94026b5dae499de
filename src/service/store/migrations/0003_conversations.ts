import type { Migration } from "./index.ts";

/** Conversations with agents: what was said, turn by turn. The turns themselves are executions of kind `turn`. */
export const conversations: Migration = {
  name: "0003_conversations",
  sql: `
create table interactions (
  id text primary key,
  agent_id text not null references agents (id),
  -- as given at its start; team_id only if project_id was given
  user_id text references users (id),
  team_id text references teams (id),
  -- who talks: api, console, flow
  type text not null,
  state text not null check (state in ('processing', 'completed', 'failed')),
  -- the beginning of its first message
  name text not null,
  -- of the newest turn
  turn integer not null default 1,
  execution_id text not null,
  error text,
  -- rises with every change that a reader can see
  revision integer not null default 1,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (user_id is not null or team_id is not null),
  check ((state = 'failed') = (error is not null))
);
create index interactions_agent on interactions (agent_id, created_at desc, id desc);
create index interactions_execution on interactions (execution_id);

create table messages (
  interaction_id text not null references interactions (id) on delete cascade,
  -- from 1, without gaps: two for each turn, the person's and the agent's
  seq integer not null,
  id text not null unique,
  role text not null check (role in ('user', 'assistant')),
  -- of an agent only at the end of its turn; its parts are there before
  content text,
  created_at timestamptz not null default now(),
  primary key (interaction_id, seq)
);

create table message_parts (
  interaction_id text not null,
  message_seq integer not null,
  -- from 1, without gaps
  seq integer not null,
  part jsonb not null,
  primary key (interaction_id, message_seq, seq),
  foreign key (interaction_id, message_seq) references messages (interaction_id, seq) on delete cascade
);

-- A start that carried an Idempotency-Key: the same key and body get the same answer for a day.
create table idempotent_starts (
  -- the credential's owner and the endpoint: two people may use the same key
  scope text not null,
  key text not null,
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotent_starts_age on idempotent_starts (created_at);
`,
};
