import type { Migration } from "./index.ts";

/**
 * Programs that act for people (OAuth 2.1): which there are, what they ask, and what people have let them do. Codes and tokens
 * are kept as hashes alone.
 */
export const programs: Migration = {
  name: "0054_programs",
  sql: `
create table oauth_programs (
  -- the client id: ours, or the address of its metadata document
  id text primary key,
  kind text not null check (kind in ('registered', 'document')),
  name text not null,
  redirect_uris text[] not null,
  -- of one that can keep a secret
  secret_hash bytea,
  created_at timestamptz not null default now(),
  -- when its metadata document was read last
  read_at timestamptz not null default now(),
  removed_at timestamptz
);
create index oauth_programs_list on oauth_programs (created_at desc, id desc) where removed_at is null;

-- What a program asks, until the person has answered; the row goes with the answer.
create table oauth_requests (
  hash bytea primary key,
  -- of the cookie of the browser that was sent here
  browser bytea not null,
  -- as it names itself: its document may not have been read yet
  program_id text not null,
  redirect_uri text not null,
  scopes text[] not null,
  state text,
  challenge text not null,
  network text not null,
  expires_at timestamptz not null
);
create index oauth_requests_network on oauth_requests (network, expires_at);
create index oauth_requests_expires on oauth_requests (expires_at);

-- What a person has let a program do: the one family of its code and all its tokens.
create table oauth_connections (
  id text primary key,
  program_id text not null references oauth_programs (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  scopes text[] not null,
  code bytea not null unique,
  redirect_uri text not null,
  challenge text not null,
  created_at timestamptz not null default now(),
  -- when its code was exchanged, and when it last got a token
  begun_at timestamptz,
  refreshed_at timestamptz,
  -- of the code, until it was exchanged
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index oauth_connections_user on oauth_connections (user_id, created_at desc, id desc)
  where ended_at is null and begun_at is not null;
create index oauth_connections_program on oauth_connections (program_id);
create index oauth_connections_expires on oauth_connections (expires_at);

create table oauth_refresh_tokens (
  hash bytea primary key,
  connection_id text not null references oauth_connections (id) on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index oauth_refresh_tokens_connection on oauth_refresh_tokens (connection_id);
create index oauth_refresh_tokens_used on oauth_refresh_tokens (used_at) where used_at is not null;

alter table credentials
  add column connection_id text references oauth_connections (id) on delete cascade,
  add column scopes text[],
  add check ((connection_id is null) = (scopes is null)),
  add check (connection_id is null or kind = 'token');
create index credentials_connection on credentials (connection_id) where connection_id is not null;
`,
};
