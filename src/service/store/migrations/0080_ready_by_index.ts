import type { Migration } from "./index.ts";

/**
 * What is ready is found by the whole index of it: with `not is_fresh` PostgreSQL asks for the two halves of that expression one
 * by one, knows no index for them, and each claim read all that its person had queued. `is false` it leaves as it is.
 */
export const readyByIndex: Migration = {
  name: "0080_ready_by_index",
  sql: `
create or replace function take_next(p_key text, p_owner text, p_kinds text[], p_placed text[], p_lease interval,
                                     p_full_people text[], p_has_room boolean)
returns setof executions language plpgsql as $$
declare
  v_person record;
  v_root text;
  v_id text;
begin
  for v_person in
    with recursive people (person) as (
      (select person from queued_executions where limit_key = p_key order by person limit 1)
      union all
      select (select queued.person from queued_executions queued
               where queued.limit_key = p_key and queued.person > people.person order by queued.person limit 1)
        from people where people.person is not null
    )
    select people.person, served.root_id, count(*) over () > 1 as is_one_of_many
      from people left join served on served.key = p_key || ' ' || people.person
     where people.person is not null and not (p_key || ' ' || people.person) = any (p_full_people)
     order by (select count(*) from executions
                where limit_key = p_key and state = 'running' and coalesce(user_id, '') = people.person),
              served.at nulls first, people.person
  loop
    -- Trees take turns, however many executions each has.
    select queued.id, queued.line into v_id, v_root from queued_executions queued
     where queued.limit_key = p_key and queued.person = v_person.person and queued.is_fresh is false
       and queued.line > coalesce(v_person.root_id, '') and queued.queued_at <= now() and queued.kind = any (p_kinds)
     order by queued.line, queued.queued_at, queued.id limit 1 for no key update skip locked;
    if v_id is null and v_person.root_id is not null then
      select queued.id, queued.line into v_id, v_root from queued_executions queued
       where queued.limit_key = p_key and queued.person = v_person.person and queued.is_fresh is false
         and queued.line <= v_person.root_id and queued.queued_at <= now() and queued.kind = any (p_kinds)
       order by queued.line, queued.queued_at, queued.id limit 1 for no key update skip locked;
    end if;
    if v_id is null then
      select first.id into v_id
        from unnest(p_kinds) kinds (kind), lateral (
          select queued.id, queued.queued_at from queued_executions queued
           where queued.limit_key = p_key and queued.person = v_person.person and queued.is_fresh is true
             and queued.line = kinds.kind and queued.queued_at <= now()
           order by queued.queued_at, queued.id limit 1 for no key update skip locked) first
       where p_has_room or not kinds.kind = any (p_placed)
       order by first.queued_at, first.id limit 1;
    end if;
    continue when v_id is null;
    if v_person.is_one_of_many or v_root is not null then
      insert into served (key, root_id) values (p_key || ' ' || v_person.person, v_root)
      on conflict (key) do update set at = clock_timestamp(), root_id = coalesce(excluded.root_id, served.root_id);
    end if;
    return query select * from take_execution(v_id, p_owner, p_placed, p_lease);
    return;
  end loop;
end
$$;
`,
};
