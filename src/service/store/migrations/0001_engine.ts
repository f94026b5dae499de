import type { Migration } from "./index.ts";

/** Durable execution: executions, the journal of their steps, their logs. */
export const engine: Migration = {
  name: "0001_engine",
  sql: `
create table executions (
  id text primary key,
  kind text not null,
  root_id text not null,
  parent_id text references executions (id),
  parent_step text,
  depth integer not null,
  -- what it is about: the saved item of a run, the interaction of a turn
  subject_id text not null,
  user_id text,
  team_id text,
  -- who shares the limit of running executions
  limit_key text not null generated always as (case when team_id is null then 'user:' || coalesce(user_id, '') else 'team:' || team_id end) stored,
  state text not null default 'queued' check (state in ('queued', 'running', 'waiting', 'done', 'failed', 'terminated')),
  -- rises with each claim; every write of a worker names the one that it holds
  epoch integer not null default 0,
  owner text,
  lease timestamptz,
  -- rises with each thing that a waiting execution is woken by
  wake_seq integer not null default 0,
  -- leases lost in a row without a step in between
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  -- since when it waits for a place below the limit
  held_at timestamptz,
  input jsonb not null,
  result jsonb,
  error text,
  log_count integer not null default 0,
  log_bytes integer not null default 0,
  -- executions in the tree, counted on its root alone
  tree_size integer not null default 1,
  -- rises with every change that a reader can see
  revision integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((state in ('done', 'failed', 'terminated')) = (finished_at is not null)),
  check ((parent_id is null) = (parent_step is null)),
  check ((state = 'running') = (owner is not null and lease is not null))
);
create index executions_tree on executions (root_id);
create index executions_children on executions (parent_id) where parent_id is not null;
create index executions_subject on executions (subject_id, created_at desc, id);
create index executions_team on executions (team_id, created_at desc, id) where team_id is not null;
create index executions_user on executions (user_id, created_at desc, id);
create index executions_running on executions (lease) where state = 'running';
create index executions_limited on executions (limit_key) where state = 'running';
create index executions_queued on executions (queued_at) where state = 'queued';
create index executions_held on executions (limit_key, created_at, id) where held_at is not null;

create table steps (
  execution_id text not null references executions (id) on delete cascade,
  key text not null,
  state text not null check (state in ('done', 'failed', 'waiting')),
  output jsonb,
  error text,
  -- a waiting step waits for this time, or for this child
  wake_at timestamptz,
  child_id text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (execution_id, key),
  check ((state = 'waiting') = (finished_at is null)),
  check (state <> 'waiting' or (wake_at is null) <> (child_id is null))
);
create index steps_due on steps (wake_at) where state = 'waiting' and wake_at is not null;

create table log_lines (
  execution_id text not null references executions (id) on delete cascade,
  -- from 1, without gaps
  seq integer not null,
  text text not null,
  primary key (execution_id, seq)
);
`,
};
