import type { Migration } from "./index.ts";

/**
 * People, teams and keys that are looked after beside the workspace's file: roles, who is deactivated or retired, what the
 * file says of whom, and from where credentials are used. A member of today could do everything but look after others, which
 * is what an editor may.
 */
export const people: Migration = {
  name: "0043_people",
  sql: `
alter table users
  add column role text not null default 'member' check (role in ('member', 'admin')),
  -- the fields that the workspace's file says
  add column managed text[] not null default '{}',
  add column version integer not null default 1,
  -- when a first link was made for somebody whom no file names, and when they came
  add column invited_at timestamptz,
  add column joined_at timestamptz,
  add column deactivated_at timestamptz;
create index users_name on users ((lower(first_name || ' ' || last_name) collate "C"), id);

alter table teams
  add column managed text[] not null default '{}',
  add column version integer not null default 1,
  add column retired_at timestamptz;
create index teams_name on teams ((lower(name) collate "C"), id);

alter table team_members
  add column role text not null default 'editor' check (role in ('viewer', 'operator', 'editor', 'admin'));

-- Who may act for a team: whoever asks for rights asks here.
create view active_members as
  select m.team_id, m.user_id, m.role
    from team_members m
    join users u on u.id = m.user_id and u.deactivated_at is null
    join teams t on t.id = m.team_id and t.retired_at is null;

alter table credentials
  add column made_from_address text,
  add column made_from_agent text,
  add column used_from_address text,
  add column used_from_agent text;
create index credentials_user on credentials (user_id, created_at desc, id desc) where user_id is not null;
create index credentials_team on credentials (team_id, created_at desc, id desc) where team_id is not null;

create index sign_in_links_user on sign_in_links (user_id);

drop trigger users_generation on users;
create constraint trigger users_generation
  after update of plan, role, deactivated_at or delete on users
  deferrable initially deferred for each row execute function next_generation();
drop trigger teams_generation on teams;
create constraint trigger teams_generation
  after update of plan, retired_at or delete on teams
  deferrable initially deferred for each row execute function next_generation();
`,
};
