import type { Migration } from "./index.ts";

/** What is known of MCP servers: who is signed in, what happened last, which definitions of tools were looked at. */
export const mcpConnections: Migration = {
  name: "0009_mcp_connections",
  sql: `
-- What a server wants, whoever asks it. "address" is a hash of its address or command, here and below: what was written
-- for another address counts for nothing.
create table mcp_servers (
  server_id text primary key,
  address text not null,
  wants_sign_in boolean not null,
  updated_at timestamptz not null default now()
);

-- One row for each person and each team; one for everybody where a server tells nobody apart.
create table mcp_connections (
  server_id text not null,
  -- 'everybody', 'user:<id>' or 'team:<id>'
  owner text not null,
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  address text not null,
  -- sealed: tokens and the client that they were given to. Null: not signed in
  secrets text,
  signed_in_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- of the last exchange, where it failed
  failure text,
  failure_kind text,
  tool_count integer,
  primary key (server_id, owner),
  check (owner = case when user_id is not null then 'user:' || user_id
                      when team_id is not null then 'team:' || team_id else 'everybody' end)
);

-- A sign-in that was begun; the row goes when the browser comes back. Only hashes of what names it are kept.
create table mcp_sign_ins (
  state bytea primary key,
  -- of the cookie of the browser that began it
  browser bytea not null,
  server_id text not null,
  user_id text references users (id) on delete cascade,
  team_id text references teams (id) on delete cascade,
  address text not null,
  -- sealed: the PKCE verifier, the client, where the tokens are to be had
  secrets text not null,
  -- the person who began it; null: a team's key
  started_by text references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index mcp_sign_ins_expires on mcp_sign_ins (expires_at);

-- Definitions of tools. hash, definition: as they were looked at last, or first seen; null: the tool is new.
-- seen_*: a definition that nobody has looked at; while it is there the tool is not called.
create table mcp_tools (
  server_id text not null,
  owner text not null,
  tool text not null,
  address text not null,
  hash text,
  definition jsonb,
  approved_at timestamptz,
  approved_by text references users (id) on delete set null,
  seen_hash text,
  seen_definition jsonb,
  seen_at timestamptz,
  primary key (server_id, owner, tool),
  check ((seen_hash is null) = (seen_at is null)),
  check (hash is not null or seen_hash is not null)
);
`,
};
