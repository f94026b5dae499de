import type { Migration } from "./index.ts";

/**
 * Workers take what is ready themselves, fairly: of the team or person that has the fewest in the hands of workers, then of
 * the person within the team, then of the run. Until now each execution had a job of the queue, first come, first served,
 * so that ten thousand of one team stood before another's one. What is ready is known by its row alone; nobody has to find
 * again what a dead process had been handed, and a start writes two rows less.
 *
 * Of those with as many in hand, whoever was served longest ago is next. That is remembered where several were ready at the
 * same moment, in a table that a crash may empty.
 */
export const fairClaims: Migration = {
  name: "0033_fair_claims",
  sql: `
delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
 where tasks.id = jobs.task_id and tasks.identifier = 'execute';
drop function claim_execution(text, text, text[], text[], interval, integer, text);
drop function wake_held(text, integer);

-- What the operator has set for a team or a person, by limit_key.
create table running_limits (
  limit_key text primary key,
  running integer not null check (running between 1 and 1000)
);
create function running_limit(p_key text, p_default integer) returns integer language plpgsql stable as $$
begin
  return coalesce((select running from running_limits where limit_key = p_key), p_default);
end
$$;

-- By limit_key, and by limit_key, a space and a person's id.
create unlogged table served (
  key text primary key,
  at timestamptz not null default clock_timestamp(),
  -- of a person: the tree that went on last, of those that had begun
  root_id text
);

-- Held is what was told that its team is full; it needs no waking, as whoever looks for work finds it.
alter table executions drop column wants_place;
drop index executions_queued;
create index executions_held on executions (limit_key) where held_at is not null;
create index executions_untold on executions (limit_key, queued_at) where state = 'queued' and held_at is null;
-- Of each person what has begun by its tree, and what is fresh by its kind.
create index executions_ready on executions
  (limit_key, (coalesce(user_id, '')), (parent_id is null and started_at is null),
   (case when parent_id is null and started_at is null then kind else root_id end), queued_at, id)
  where state = 'queued';
create view queued_executions as
  select id, kind, limit_key, coalesce(user_id, '') as person, parent_id is null and started_at is null as is_fresh,
         case when parent_id is null and started_at is null then kind else root_id end as line, queued_at
    from executions where state = 'queued';

-- Tells at most a thousand of those that cannot begin why: p_line goes to their logs once. p_all: also those that need no
-- place of their own.
create function tell_held(p_key text, p_all boolean, p_placed text[], p_limit integer, p_line text) returns void
language plpgsql as $$
declare
  v_line text := format(p_line,
    case p_limit when 1 then '1 run or conversation' else p_limit || ' runs and conversations' end,
    case when p_key like 'team:%' then 'team' else 'person' end,
    case p_limit when 1 then 'is' else 'are' end, case p_limit when 1 then 'it' else 'one of them' end);
begin
  with untold as (
    select id from executions
     where limit_key = p_key and state = 'queued' and held_at is null and queued_at <= now()
       and (p_all or (parent_id is null and started_at is null and kind = any (p_placed)))
     order by queued_at limit 1000 for no key update skip locked
  ), held as (
    update executions set held_at = now(), log_count = log_count + 1, log_bytes = log_bytes + octet_length(v_line),
           revision = revision + 1
      from untold where executions.id = untold.id returning executions.id, log_count
  )
  insert into log_lines (execution_id, seq, text) select id, log_count, v_line from held;
end
$$;

-- The row as claimed. The lock of its limit must be held.
create function take_execution(p_id text, p_owner text, p_placed text[], p_lease interval) returns setof executions
language plpgsql as $$
begin
  return query
    update executions
       set state = 'running', owner = p_owner, epoch = epoch + 1, lease = clock_timestamp() + p_lease, held_at = null,
           has_place = has_place or (parent_id is null and started_at is null and kind = any (p_placed)),
           started_at = coalesce(started_at, now()),
           revision = revision + (started_at is null)::integer
     where id = p_id and state = 'queued'
    returning *;
end
$$;

-- One worker's attempt to get an execution that it has started itself. No row: somebody else has it, or it is over. A row
-- that is still queued: its team has as many as it may; it is held, and its log says so.
create function claim_execution(p_id text, p_owner text, p_kinds text[], p_placed text[], p_lease interval, p_limit integer, p_line text)
returns setof executions language plpgsql as $$
declare
  v_key text;
  v_limit integer;
  v_wants boolean;
  v_is_full boolean;
begin
  -- A claim that a power failure undoes is made again: no need to wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  select limit_key into v_key from executions where id = p_id and kind = any (p_kinds) and state = 'queued';
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('limit ' || v_key, 0));
  -- From here on each statement sees what the holders of the lock before us did.
  v_limit := running_limit(v_key, p_limit);
  select parent_id is null and started_at is null and kind = any (p_placed) into v_wants from executions where id = p_id;
  v_is_full := (select count(*) from executions where limit_key = v_key and state = 'running') >= v_limit;
  if v_is_full or (v_wants and places_taken(v_key) >= v_limit) then
    -- It is everybody's from now on.
    update executions set queued_at = now() where id = p_id and state = 'queued' and queued_at > now();
    perform tell_held(v_key, v_is_full, p_placed, v_limit, p_line);
    return query select * from executions where id = p_id and state = 'queued';
    return;
  end if;
  return query select * from take_execution(p_id, p_owner, p_placed, p_lease);
end
$$;

-- Claims the next one of this team or person, if one is ready: of the person that has the fewest in hand and was served
-- longest ago, first what has begun, tree by tree, then what is fresh. The lock of the limit must be held.
-- p_full_people: those that get nothing now, each as in served. p_has_room: whether one more may have a place of its own.
create function take_next(p_key text, p_owner text, p_kinds text[], p_placed text[], p_lease interval,
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
     where queued.limit_key = p_key and queued.person = v_person.person and not queued.is_fresh
       and queued.line > coalesce(v_person.root_id, '') and queued.queued_at <= now() and queued.kind = any (p_kinds)
     order by queued.line, queued.queued_at, queued.id limit 1 for no key update skip locked;
    if v_id is null and v_person.root_id is not null then
      select queued.id, queued.line into v_id, v_root from queued_executions queued
       where queued.limit_key = p_key and queued.person = v_person.person and not queued.is_fresh
         and queued.line <= v_person.root_id and queued.queued_at <= now() and queued.kind = any (p_kinds)
       order by queued.line, queued.queued_at, queued.id limit 1 for no key update skip locked;
    end if;
    if v_id is null then
      select first.id into v_id
        from unnest(p_kinds) kinds (kind), lateral (
          select queued.id, queued.queued_at from queued_executions queued
           where queued.limit_key = p_key and queued.person = v_person.person and queued.is_fresh
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

-- Claims what is ready, p_count at most, each for whoever has the fewest in hand and was served longest ago; whoever has as
-- many as it may is told. p_full_keys and p_full_people: those that get nothing from this process now.
-- A last row without an execution names whose lock somebody had, so that it was passed over: nobody waits here for what
-- another team does. Whoever gets it calls again with it as p_wait_for.
-- is_crowded: several of them had something ready.
create function claim_ready(p_owner text, p_kinds text[], p_placed text[], p_lease interval, p_limit integer, p_line text,
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
    (select limit_key from executions where state = 'queued' order by limit_key limit 1)
    union all
    select (select limit_key from executions where state = 'queued' and limit_key > keys.key order by limit_key limit 1)
      from keys where keys.key is not null
  ), counted as (
    select keys.key, served.at,
           (select count(*)::integer from executions where limit_key = keys.key and state = 'running') as running
      from keys left join served on served.key = keys.key
     where keys.key is not null and not keys.key = any (p_full_keys)
  )
  select array_agg(key), array_agg(running), array_agg(at), array_agg(false) into v_keys, v_running, v_served, v_is_ours
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

-- p_new is a list of {id, kind, subject_id, user_id, team_id, input, is_taken}: is_taken where the process p_owner has room
-- for it; the queue hands out the others. What is taken and finds no place is queued, and it is the taker's to claim it.
-- Gives back what was made: ids that are there already are left alone. p_placed are the kinds that have places.
create or replace function start_executions(p_new json, p_owner text, p_placed text[], p_lease interval, p_limit integer)
returns setof executions language plpgsql as $$
declare
  v_key text;
begin
  -- In an order, lest two groups wait for each other.
  for v_key in
    select distinct coalesce('team:' || team_id, 'user:' || coalesce(user_id, ''))
      from json_to_recordset(p_new) as given (user_id text, team_id text, is_taken boolean)
     where is_taken order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('limit ' || v_key, 0));
  end loop;
  -- From here on each statement sees what the holders of the locks before us did.
  return query
    with given as (
      select given.*, coalesce('team:' || given.team_id, 'user:' || coalesce(given.user_id, '')) as key,
             given.kind = any (p_placed) as is_placed
        from rows from (json_to_recordset(p_new) as
               (id text, kind text, subject_id text, user_id text, team_id text, input json, is_taken boolean))
             with ordinality as given (id, kind, subject_id, user_id, team_id, input, is_taken, number)
    ), room as (
      select keys.key, running_limit(keys.key, p_limit) as most, places_taken(keys.key) as placed,
             (select count(*) from executions where limit_key = keys.key and executions.state = 'running') as running
        from (select distinct given.key from given where given.is_taken) keys
    ), claimed as (
      select counted.id, counted.is_placed
        from (select given.id, given.key, given.is_placed,
                     row_number() over earlier as nth, count(*) filter (where given.is_placed) over earlier as nth_placed
                from given where given.is_taken
              window earlier as (partition by given.key order by given.number)) counted
        join room on room.key = counted.key
       where room.running + counted.nth <= room.most
         and (not counted.is_placed or room.placed + counted.nth_placed <= room.most)
    )
    insert into executions
      (id, kind, root_id, depth, subject_id, user_id, team_id, input, state, owner, lease, epoch, has_place, started_at)
    select given.id, given.kind, given.id, 0, given.subject_id, given.user_id, given.team_id, given.input,
           case when claimed.id is null then 'queued' else 'running' end,
           case when claimed.id is not null then p_owner end,
           case when claimed.id is not null then clock_timestamp() + p_lease end,
           (claimed.id is not null)::integer, coalesce(claimed.is_placed, false),
           case when claimed.id is not null then now() end
      from given left join claimed on claimed.id = given.id
     order by given.number
    on conflict (id) do nothing
    returning *;
  perform pg_notify('wheelhouse_engine', 'ready ' || key || ' ' || person)
     from (select distinct coalesce('team:' || team_id, 'user:' || coalesce(user_id, '')) as key, coalesce(user_id, '') as person
             from json_to_recordset(p_new) as given (user_id text, team_id text, is_taken boolean)
            where not is_taken) told;
end
$$;
`,
};
