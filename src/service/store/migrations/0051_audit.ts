import type { Migration } from "./index.ts";

/**
 * The audit log. An entry is written with its change into a table without indexes, which costs the change next to nothing;
 * a moment later it is moved into the log, with its place in the chain.
 */
export const audit: Migration = {
  name: "0051_audit",
  sql: `
create table audit_pending (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- text that stays as it is to the byte
  entry json not null
);

create table audit_log (
  position bigint primary key,
  at timestamptz not null,
  entry json not null,
  -- whose secret made the seal
  key_id text not null,
  -- over the seal before, the position, the time and the entry
  seal bytea not null,
  -- of the entry, for those who look for it
  action text generated always as (entry ->> 'action') stored,
  user_id text generated always as (entry ->> 'user_id') stored,
  team_id text generated always as (entry ->> 'team_id') stored,
  object_kind text generated always as (entry ->> 'object_kind') stored,
  object_id text generated always as (entry ->> 'object_id') stored
);
create index audit_log_at on audit_log (at desc, position desc);
create index audit_log_user on audit_log (user_id, at desc, position desc) where user_id is not null;
create index audit_log_team on audit_log (team_id, at desc, position desc) where team_id is not null;
create index audit_log_action on audit_log (action, at desc, position desc);
create index audit_log_object on audit_log (object_kind, object_id, at desc, position desc);

-- Where the chain begins and ends, sealed itself: what is cut off at its end is missed.
create table audit_head (
  one boolean primary key default true check (one),
  -- the entry before the first one that is kept, and its seal
  first_position bigint not null,
  first_seal bytea not null,
  last_position bigint not null,
  last_seal bytea not null,
  key_id text not null,
  seal bytea not null
);

-- What strangers do again and again, for each minute and network: one entry when the minute is over.
create table audit_counts (
  minute timestamptz not null,
  action text not null,
  network text not null,
  object_id text not null,
  count integer not null default 1,
  entry json not null,
  primary key (minute, action, network, object_id)
);
`,
};
