import type { Migration } from "./index.ts";

/**
 * Signing in with the organisation's identity provider: who is who there, what their groups give them here, and the sealed
 * tokens by which that is asked for again.
 */
export const identityProvider: Migration = {
  name: "0053_identity_provider",
  sql: `
-- A sign-in that was begun; the row goes when the browser comes back. Only hashes of what names it are kept.
create table oidc_sign_ins (
  state bytea primary key,
  -- of the cookie of the browser that began it
  browser bytea not null,
  issuer text not null,
  -- that it was begun from
  network text not null,
  -- sealed: the nonce, the PKCE verifier, the page to go to
  secrets text not null,
  expires_at timestamptz not null
);
create index oidc_sign_ins_network on oidc_sign_ins (network, expires_at);
create index oidc_sign_ins_expires on oidc_sign_ins (expires_at);

-- Somebody at the provider, and who they are here.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  -- their first sign-in made the person: outside of the groups nothing is left of them, keys included
  made_person boolean not null,
  groups text[] not null,
  -- the groups let them in when they were asked for last
  is_in boolean not null,
  checked_at timestamptz not null,
  -- from then on the groups are asked for again beside a request, and by then before one is answered
  check_from timestamptz not null,
  check_by timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);
create unique index oidc_identities_in on oidc_identities (user_id) where is_in;

-- A sign-in that succeeded, with what was given to it.
create table oidc_sessions (
  id text primary key,
  issuer text not null,
  subject text not null,
  -- the link that the browser exchanges for its access token
  link bytea not null unique,
  -- that token, since it was
  credential_id text unique references credentials (id) on delete cascade,
  -- sealed: the refresh token, the ID token
  secrets text not null,
  created_at timestamptz not null default now(),
  foreign key (issuer, subject) references oidc_identities on delete cascade
);
create index oidc_sessions_identity on oidc_sessions (issuer, subject, created_at desc);

alter table team_members add column given_by_groups boolean not null default false;
alter table users
  add column role_by_groups boolean not null default false,
  -- since when the provider lets somebody in no more whom it brought: their keys rest
  add column barred_at timestamptz;

drop trigger users_generation on users;
create constraint trigger users_generation
  after update of plan, role, deactivated_at, barred_at or delete on users
  deferrable initially deferred for each row execute function next_generation();
-- When somebody's groups have to be asked for again is part of what is remembered of them.
create constraint trigger oidc_identities_generation
  after insert or update of user_id, is_in or delete on oidc_identities
  deferrable initially deferred for each row execute function next_generation();
`,
};
