import type { Migration } from "./index.ts";

/** People, teams, their credentials, and what the workspace folder describes: saved items and agents. */
export const identity: Migration = {
  name: "0002_identity",
  sql: `
create table users (
  id text primary key,
  email text not null unique,
  first_name text not null,
  last_name text not null,
  profile_picture text,
  plan text not null check (plan in ('free', 'pro', 'enterprise'))
);

create table teams (
  id text primary key,
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'enterprise'))
);

create table team_members (
  team_id text not null references teams (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

create table credentials (
  id text primary key,
  kind text not null check (kind in ('personal', 'team', 'token')),
  -- the readable beginning, to tell keys apart
  prefix text not null,
  -- SHA-256 of the whole secret, which is kept nowhere
  hash bytea not null unique,
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  check ((kind = 'team') = (team_id is not null)),
  check (kind = 'team' or user_id is not null)
);

create table sign_in_links (
  hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table saved_items (
  id text primary key,
  team_id text references teams (id),
  user_id text not null references users (id),
  name text not null,
  description text not null default '',
  definition jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz
);
create index saved_items_team on saved_items (team_id) where team_id is not null;
create index saved_items_user on saved_items (user_id);

create table agents (
  id text primary key,
  alias text,
  owner_id text not null references users (id),
  team_id text references teams (id),
  name text not null,
  description text,
  model_name text not null,
  system_prompt text,
  tools jsonb not null default '[]',
  resources jsonb not null default '[]',
  metadata jsonb not null default '{}',
  is_active boolean not null default true,
  folder_id text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (owner_id, alias)
);
create index agents_team on agents (team_id) where team_id is not null;
`,
};
