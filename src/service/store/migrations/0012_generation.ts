import type { Migration } from "./index.ts";

/**
 * One number that rises, in the same transaction, with each change after which something that a process remembers of
 * callers and ended runs may be wrong. Whoever reads the same number twice may go on with what it knew.
 */
export const generation: Migration = {
  name: "0012_generation",
  sql: `
create table generation (
  only_row boolean primary key default true check (only_row),
  number bigint not null,
  -- the transaction that raised it last: once is enough for each
  changed_by xid8
);
insert into generation (number) values (1);

create function next_generation() returns trigger language plpgsql as $$
begin
  update generation set number = number + 1, changed_by = pg_current_xact_id()
   where changed_by is distinct from pg_current_xact_id();
  return null;
end
$$;

-- Deferred to the commit: the one row that all such changes share is locked last and for no time.
-- An insert of a credential, a person or a team makes nothing wrong: what is not there is never remembered.
create constraint trigger credentials_generation
  after update of kind, hash, user_id, team_id, expires_at, revoked_at or delete on credentials
  deferrable initially deferred for each row execute function next_generation();
create constraint trigger team_members_generation
  after insert or update or delete on team_members
  deferrable initially deferred for each row execute function next_generation();
create constraint trigger users_generation
  after update of plan or delete on users
  deferrable initially deferred for each row execute function next_generation();
create constraint trigger teams_generation
  after update of plan or delete on teams
  deferrable initially deferred for each row execute function next_generation();
create trigger executions_generation
  after delete on executions for each statement execute function next_generation();
`,
};
