import type { Migration } from "./index.ts";

/**
 * A claim costs as much after the ten thousandth as at the first. What was claimed leaves dead entries at the front of the
 * index of what is ready, until a vacuum takes them away; each claim walked over all of them, three times. Now the teams and
 * people are looked for from the back, where what is left stands, and the oldest of somebody's from where it was a moment ago.
 *
 * Its statements are planned once for a connection: to plan them anew took as long as to do it.
 */
export const claimPlans: Migration = {
  name: "0083_claim_plans",
  sql: `
-- At walked_at the oldest fresh one of this person (as in served) and kind that could be had. A crash may empty it.
create unlogged table fronts (
  key text not null,
  kind text not null,
  queued_at timestamptz not null,
  id text not null,
  walked_at timestamptz not null,
  primary key (key, kind)
);

create or replace function take_next(p_key text, p_owner text, p_kinds text[], p_placed text[], p_lease interval,
                                     p_full_people text[], p_has_room boolean)
returns setof executions language plpgsql as $$
declare
  v_person record;
  v_root text;
  v_id text;
  v_key text;
begin
  for v_person in
    with recursive people (person) as (
      (select person from queued_executions where limit_key = p_key order by person desc limit 1)
      union all
      select (select queued.person from queued_executions queued
               where queued.limit_key = p_key and queued.person < people.person order by queued.person desc limit 1)
        from people where people.person is not null
    )
    select people.person, served.root_id, count(*) over () > 1 as is_one_of_many
      from people left join served on served.key = p_key || ' ' || people.person
     where people.person is not null and not (p_key || ' ' || people.person) = any (p_full_people)
     order by (select count(*) from executions
                where limit_key = p_key and state = 'running' and coalesce(user_id, '') = people.person),
              served.at nulls first, people.person
  loop
    v_key := p_key || ' ' || v_person.person;
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
      with first as materialized (
        select kinds.kind, found.*
          from unnest(p_kinds) kinds (kind)
          left join fronts front on front.key = v_key and front.kind = kinds.kind
               and clock_timestamp() - front.walked_at between interval '0' and interval '250 milliseconds'
         cross join lateral (
          select * from (
            select queued.id, queued.queued_at, front.kind is null as is_walked from queued_executions queued
             where queued.limit_key = p_key and queued.person = v_person.person and queued.is_fresh is true
               and queued.line = kinds.kind and queued.queued_at <= now()
               and (queued.queued_at, queued.id) >= (coalesce(front.queued_at, '-infinity'), coalesce(front.id, ''))
             order by queued.queued_at, queued.id limit 1 for no key update skip locked) behind_front
          union all
          -- Nothing there: what was committed late, or was locked then, may be before it.
          select * from (
            select queued.id, queued.queued_at, true as is_walked from queued_executions queued
             where front.kind is not null
               and queued.limit_key = p_key and queued.person = v_person.person and queued.is_fresh is true
               and queued.line = kinds.kind and queued.queued_at <= now()
             order by queued.queued_at, queued.id limit 1 for no key update skip locked) anywhere
          limit 1) found
         where p_has_room or not kinds.kind = any (p_placed)
      ), walked as (
        insert into fronts select v_key, kind, queued_at, id, clock_timestamp() from first where is_walked
        on conflict (key, kind) do update set queued_at = excluded.queued_at, id = excluded.id, walked_at = excluded.walked_at
      )
      select first.id into v_id from first order by first.queued_at, first.id limit 1;
    end if;
    continue when v_id is null;
    if v_person.is_one_of_many or v_root is not null then
      insert into served (key, root_id) values (v_key, v_root)
      on conflict (key) do update set at = clock_timestamp(), root_id = coalesce(excluded.root_id, served.root_id);
    end if;
    return query select * from take_execution(v_id, p_owner, p_placed, p_lease);
    return;
  end loop;
end
$$;

create or replace function claim_ready(p_owner text, p_kinds text[], p_placed text[], p_lease interval, p_limit integer, p_line text,
                            p_count integer, p_full_keys text[], p_full_people text[], p_wait_for text)
returns table (claimed executions, is_crowded boolean, locked_key text) language plpgsql as $$
declare
  v_keys text[];
  -- null: nothing more for this one
  v_running integer[];
  v_served timestamptz[];
  v_is_ours boolean[];
  v_left integer := p_count;
  v_limit integer;
  v_has_room boolean;
  v_row executions;
  i integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  -- The only lock that is waited for, as the first: two who wait for each other's there are none.
  if p_wait_for is not null then
    perform pg_advisory_xact_lock(hashtextextended('limit ' || p_wait_for, 0));
  end if;
  with recursive keys (key) as (
    (select limit_key from executions where state = 'queued' order by limit_key desc limit 1)
    union all
    select (select limit_key from executions where state = 'queued' and limit_key < keys.key order by limit_key desc limit 1)
      from keys where keys.key is not null
  ), counted as (
    select keys.key, served.at,
           (select count(*)::integer from executions where limit_key = keys.key and state = 'running') as running
      from keys left join served on served.key = keys.key
     where keys.key is not null and not keys.key = any (p_full_keys)
  )
  select array_agg(key order by key), array_agg(running order by key), array_agg(at order by key), array_agg(false)
    into v_keys, v_running, v_served, v_is_ours
    from counted
   where running < running_limit(key, p_limit)
      or exists (select from executions where limit_key = key and state = 'queued' and held_at is null);
  is_crowded := coalesce(cardinality(v_keys), 0) > 1;
  while v_left > 0 loop
    select number into i from unnest(v_running, v_served) with ordinality as one (running, at, number)
     where running is not null order by running, at nulls first, number limit 1;
    exit when not found;
    if not v_is_ours[i] then
      v_is_ours[i] := pg_try_advisory_xact_lock(hashtextextended('limit ' || v_keys[i], 0));
      if v_is_ours[i] then
        -- Counted anew: from here on nobody else changes it but by ending something.
        v_running[i] := (select count(*) from executions where limit_key = v_keys[i] and state = 'running');
      else
        locked_key := v_keys[i];
        v_running[i] := null;
      end if;
      continue;
    end if;
    v_limit := running_limit(v_keys[i], p_limit);
    if v_running[i] >= v_limit then
      perform tell_held(v_keys[i], true, p_placed, v_limit, p_line);
      v_running[i] := null;
      continue;
    end if;
    v_has_room := places_taken(v_keys[i]) < v_limit;
    select * into v_row from take_next(v_keys[i], p_owner, p_kinds, p_placed, p_lease, p_full_people, v_has_room);
    if not found then
      if not v_has_room then
        perform tell_held(v_keys[i], false, p_placed, v_limit, p_line);
      end if;
      v_running[i] := null;
      continue;
    end if;
    v_left := v_left - 1;
    v_running[i] := v_running[i] + 1;
    v_served[i] := clock_timestamp();
    if is_crowded then
      insert into served (key) values (v_keys[i]) on conflict (key) do update set at = clock_timestamp();
    end if;
    return query select v_row, is_crowded, null::text;
  end loop;
  if locked_key is not null then
    return query select null::executions, is_crowded, locked_key;
  end if;
end
$$;

-- Whoever replaces one of these functions has to say this again.
alter function claim_ready(text, text[], text[], interval, integer, text, integer, text[], text[], text)
  set plan_cache_mode = force_generic_plan;
alter function claim_execution(text, text, text[], text[], interval, integer, text)
  set plan_cache_mode = force_generic_plan;
-- A plan that is kept from when there were few rows reads them all until the next analyze.
alter function claim_ready(text, text[], text[], interval, integer, text, integer, text[], text[], text)
  set enable_seqscan = off;
alter function claim_execution(text, text, text[], text[], interval, integer, text)
  set enable_seqscan = off;
alter function artifact_versions_changed() set enable_seqscan = off;
`,
};
