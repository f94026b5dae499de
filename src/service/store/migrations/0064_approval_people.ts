import type { Migration } from "./index.ts";

/**
 * Whom questions name, as rows in the order of their lists. In an index over the array of names a list had to find all
 * questions that ever named somebody before it could put them in order.
 */
export const approvalPeople: Migration = {
  name: "0064_approval_people",
  sql: `
create table approval_people (
  approval_id text not null references approvals (id) on delete cascade,
  user_id text not null,
  -- those of the question
  asked_at timestamptz not null,
  ended_at timestamptz,
  primary key (approval_id, user_id)
);
insert into approval_people (approval_id, user_id, asked_at, ended_at)
select distinct id, person, asked_at, ended_at from approvals, unnest(people) person where who = 'people';
create index approval_people_waiting on approval_people (user_id, asked_at, approval_id) where ended_at is null;
create index approval_people_ended on approval_people (user_id, ended_at desc, approval_id desc) where ended_at is not null;

create function approval_people_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into approval_people (approval_id, user_id, asked_at, ended_at)
    select distinct new.id, person, new.asked_at, new.ended_at from unnest(new.people) person;
  else
    update approval_people set ended_at = new.ended_at where approval_id = new.id;
  end if;
  return null;
end $$;
create trigger approvals_named after insert on approvals
  for each row when (new.who = 'people') execute function approval_people_changed();
create trigger approvals_ended after update of ended_at on approvals
  for each row when (new.who = 'people' and new.ended_at is distinct from old.ended_at) execute function approval_people_changed();

drop index approvals_waiting_people;
drop index approvals_ended_people;
`,
};
