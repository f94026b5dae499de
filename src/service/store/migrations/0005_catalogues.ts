import type { Migration } from "./index.ts";

/** What hangs on agents and teams: earlier versions, evaluations with their results, knowledge sources with their cost. */
export const catalogues: Migration = {
  name: "0005_catalogues",
  sql: `
create table agent_versions (
  agent_id text not null references agents (id) on delete cascade,
  version integer not null,
  -- the agent as it was at this version
  content jsonb not null,
  changed jsonb not null,
  user_id text references users (id),
  created_at timestamptz not null default now(),
  primary key (agent_id, version)
);

-- A saved rubric.
create table evaluations (
  id text primary key,
  owner_id text not null references users (id),
  team_id text references teams (id),
  name text not null,
  description text,
  enabled boolean not null default true,
  config jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table evaluation_configs (
  agent_id text primary key references agents (id) on delete cascade,
  config jsonb not null,
  updated_at timestamptz not null default now()
);

-- Results stay with their session when the evaluation is deleted.
create table evaluation_results (
  id text primary key,
  evaluation_id text references evaluations (id),
  agent_id text not null references agents (id),
  interaction_id text not null references interactions (id),
  grade text,
  tags jsonb not null default '[]',
  result jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index evaluation_results_agent on evaluation_results (agent_id, created_at);

create table knowledge_sources (
  id text primary key,
  name text not null,
  source_type text not null,
  status text not null check (status in ('draft', 'active', 'paused')),
  scope text not null,
  team_id text references teams (id),
  created_by_user_id text not null references users (id),
  estimated_credits double precision not null default 0,
  created_at timestamptz not null default now(),
  approved_at timestamptz
);

create table credits (
  id text primary key,
  user_id text references users (id),
  team_id text references teams (id),
  source_id text references knowledge_sources (id),
  execution_id text,
  amount double precision not null,
  created_at timestamptz not null default now()
);
-- A source is charged for its approval once.
create unique index credits_source on credits (source_id) where source_id is not null;
`,
};
