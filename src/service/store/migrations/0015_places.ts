import type { Migration } from "./index.ts";

/**
 * The places of a team, or of a person outside teams. Runs and turns that were asked for have one from their first claim
 * to their end, also while they wait; what they start goes with them. Beside that only so many of all of a team's
 * executions are in the hands of workers at the same moment.
 */
export const places: Migration = {
  name: "0015_places",
  sql: `
alter table executions
  -- has a place of its own until it ends
  add column has_place boolean not null default false,
  -- is held because it lacks such a place
  add column wants_place boolean not null default false;
update executions set has_place = true
 where parent_id is null and started_at is not null and finished_at is null and kind in ('pipeline', 'turn');
create index executions_places on executions (limit_key) where has_place and finished_at is null;
drop index executions_held;
create index executions_held on executions (limit_key, wants_place, created_at, id) where held_at is not null;

create function places_taken(p_key text) returns bigint language sql stable as $$
  select count(*) from executions where limit_key = p_key and has_place and finished_at is null
$$;

-- One worker's attempt to get an execution. No row: somebody else has it, or it is over. A row that is still queued: its
-- team has as many as it may; it is held, and p_line goes to its log the first time, with %s for whose limit it is.
-- p_placed are the kinds that have places.
drop function claim_execution(text, text, text[], interval, integer, text);
create function claim_execution(p_id text, p_owner text, p_kinds text[], p_placed text[], p_lease interval, p_limit integer, p_line text)
returns setof executions language plpgsql as $$
declare
  v_key text;
  v_held timestamptz;
  v_wants boolean;
  v_line text;
begin
  -- A claim that a power failure undoes is made again: no need to wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  select limit_key into v_key from executions
   where id = p_id and kind = any (p_kinds) and (state = 'queued' or (state = 'running' and lease < now()));
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('limit ' || v_key, 0));
  -- From here on each statement sees what the holders of the lock before us did.
  select held_at, parent_id is null and started_at is null and kind = any (p_placed) into v_held, v_wants
    from executions where id = p_id;
  if (select count(*) from executions where limit_key = v_key and state = 'running' and id <> p_id) >= p_limit
     or (v_wants and places_taken(v_key) >= p_limit) then
    v_line := format(p_line, case when v_key like 'team:%' then 'team' else 'person' end);
    update executions set held_at = now(), wants_place = v_wants, log_count = log_count + 1,
           log_bytes = log_bytes + octet_length(v_line), revision = revision + 1
     where id = p_id and state = 'queued' and held_at is null;
    if found then
      insert into log_lines select id, log_count, v_line from executions where id = p_id;
    else
      update executions set wants_place = v_wants where id = p_id and state = 'queued' and wants_place <> v_wants;
    end if;
    return query select * from executions where id = p_id and state = 'queued';
    return;
  end if;
  return query
    update executions
       set state = 'running', owner = p_owner, epoch = epoch + 1, lease = clock_timestamp() + p_lease, held_at = null,
           has_place = has_place or v_wants,
           attempts = attempts + (state = 'running')::integer,
           started_at = coalesce(started_at, now()),
           revision = revision + (started_at is null)::integer
     where id = p_id and (state = 'queued' or (state = 'running' and lease < now()))
    returning *;
  if found and v_held is not null then
    -- There may be more than one free place: each that gets one calls the next.
    perform wake_held(v_key, p_limit);
  end if;
end
$$;

-- Gives the one that has waited longest, of those for which there is a place, a job.
create or replace function wake_held(p_key text, p_limit integer) returns void language sql as $$
  select graphile_worker.add_job('execute', json_build_object('id', id), job_key => id)
    from ((select id, created_at from executions
            where limit_key = p_key and state = 'queued' and held_at is not null and not wants_place
            order by created_at, id limit 1)
          union all
          (select id, created_at from executions
            where limit_key = p_key and state = 'queued' and held_at is not null and wants_place
              and places_taken(p_key) < p_limit
            order by created_at, id limit 1)
          order by created_at, id limit 1) longest
   where (select count(*) from executions where limit_key = p_key and state = 'running') < p_limit
$$;
`,
};
