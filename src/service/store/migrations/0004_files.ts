import type { Migration } from "./index.ts";

/** Names of files whose bytes lie in the file store: artifacts of agents with who may see them, and files of runs. */
export const files: Migration = {
  name: "0004_files",
  sql: `
-- What a pipeline run wrote.
create table run_files (
  -- of the file store
  id text primary key,
  execution_id text not null references executions (id) on delete cascade,
  name text not null,
  media_type text not null,
  size double precision not null,
  created_at timestamptz not null default now(),
  unique (execution_id, name)
);

create table artifacts (
  id text primary key,
  agent_id text not null references agents (id),
  interaction_id text not null references interactions (id),
  -- whose conversation it was made in
  user_id text references users (id),
  team_id text references teams (id),
  filename text not null,
  -- the newest of its versions
  version_id text not null,
  major_version integer not null,
  organization_role text,
  link_mode text not null default 'none' check (link_mode in ('none', 'anyone', 'password')),
  link_role text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  unique (interaction_id, filename)
);
create index artifacts_agent on artifacts (agent_id, created_at desc, id desc) where removed_at is null;

create table artifact_versions (
  id text primary key,
  artifact_id text not null references artifacts (id) on delete cascade,
  -- from 1, without gaps
  major_version integer not null,
  -- of the file store
  file_id text not null,
  media_type text not null,
  size double precision not null,
  created_at timestamptz not null default now(),
  unique (artifact_id, major_version)
);

create table artifact_grants (
  artifact_id text not null references artifacts (id) on delete cascade,
  kind text not null check (kind in ('person', 'team')),
  -- a lower-case e-mail address, of a known person or not; or the id of a team
  grantee text not null,
  role text not null,
  created_at timestamptz not null default now(),
  primary key (artifact_id, kind, grantee)
);
create index artifact_grants_grantee on artifact_grants (kind, grantee);
`,
};
