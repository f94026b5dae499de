import type { Migration } from "./index.ts";

/**
 * What a deletion makes wrong of what processes remember of ended runs, by their ids: until now each raised the generation,
 * so that all was read again after every small step of retention. Whoever remembers runs reads here what went since it
 * last looked, in the statement that asks for the generation (src/service/store/generation.ts).
 */
export const removals: Migration = {
  name: "0030_removals",
  sql: `
-- The number of the last removal; each waits for the one before, so that they are seen in their order.
alter table generation add column removals bigint not null default 0;

-- The last of them. Who has missed one that is not here any more forgets all.
create table removals (
  number bigint primary key,
  ids text[] not null
);

-- For runs that are deleted, and for what else changes of a run after its end. To be called last, as all lock one row.
create function forget_runs(gone text[]) returns void language plpgsql as $$
declare
  latest bigint;
begin
  if cardinality(gone) = 0 then return; end if;
  update generation set removals = removals + 1 returning removals into latest;
  -- More than any process remembers: none is named, and so all are forgotten.
  if cardinality(gone) <= 5000 then insert into removals values (latest, gone); end if;
  delete from removals where number <= latest - 64;
end
$$;

create function forget_removed() returns trigger language plpgsql as $$
begin
  perform forget_runs(array(select id from gone where kind = 'pipeline' and finished_at is not null));
  return null;
end
$$;
drop trigger executions_generation on executions;
create trigger executions_removals after delete on executions
  referencing old table as gone for each statement execute function forget_removed();
`,
};
