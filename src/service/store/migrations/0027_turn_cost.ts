import type { Migration } from "./index.ts";

/**
 * What a file of a turn costs the lists of artifacts, and a start its way to the queue. Functions in SQL are planned anew
 * each time that they are called, those in plpgsql once for a connection: of the 2.5 ms that a new file took more than half
 * was planning. The lists were brought up to date for the artifact and then for its version; a new artifact has nothing to
 * take out of them, and of a version they have the media type alone.
 */
export const turnCost: Migration = {
  name: "0027_turn_cost",
  sql: `
-- As before, with a plan that is kept: an index over it calls it for every row.
create or replace function artifact_labels(name text, media_type text, user_id text) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return array_remove(array['type:' || media_type, 'kind:' || split_part(media_type, '/', 1), 'by:' || user_id], null)
      || array(select distinct substr(name, at, size) from generate_series(1, length(name)) at, generate_series(1, 3) size
                where at + size - 1 <= length(name));
end $$;
-- Written where it differs: an artifact may be given to a thousand people, one after the other. What is not listed yet has
-- nothing to be taken out. Statements without parameters keep one plan for all artifacts.
create or replace function artifacts_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from artifact_audience before using changed where before.artifact_id = changed.id
       and not exists (select from artifact_audience_of(changed.id) listed where listed.audience = before.audience);
  end if;
  insert into artifact_audience as before select listed.* from changed, artifact_audience_of(changed.id) listed
    on conflict (audience, artifact_id) do update
       set agent_id = excluded.agent_id, interaction_id = excluded.interaction_id, user_id = excluded.user_id,
           media_type = excluded.media_type, created_at = excluded.created_at, name = excluded.name
     where (before.agent_id, before.interaction_id, before.user_id, before.media_type, before.created_at, before.name)
           is distinct from (excluded.agent_id, excluded.interaction_id, excluded.user_id, excluded.media_type,
                             excluded.created_at, excluded.name);
  return null;
end $$;
-- Of a version lists have the media type alone, and that of the newest. An artifact that is not listed yet is listed whole.
create function artifact_versions_changed() returns trigger language plpgsql as $$
begin
  update artifact_audience listed set media_type = lower(trim(split_part(changed.media_type, ';', 1)))
    from changed join artifacts on artifacts.id = changed.artifact_id and artifacts.version_id = changed.id
   where listed.artifact_id = artifacts.id
     and listed.media_type is distinct from lower(trim(split_part(changed.media_type, ';', 1)));
  return null;
end $$;
drop trigger artifact_versions_made on artifact_versions;
drop trigger artifact_versions_changed on artifact_versions;
create trigger artifact_versions_made after insert on artifact_versions
  referencing new table as changed for each statement execute function artifact_versions_changed();
create trigger artifact_versions_changed after update on artifact_versions
  referencing new table as changed for each statement execute function artifact_versions_changed();

-- p_new is a list of {id, kind, subject_id, user_id, team_id, input, is_taken}: is_taken where the process p_owner has room
-- for it; the queue hands out the others. What is taken and finds no place is queued, and it is the taker's to claim it.
-- Gives back what was made: ids that are there already are left alone. p_placed are the kinds that have places.
create or replace function start_executions(p_new json, p_owner text, p_placed text[], p_lease interval, p_limit integer)
returns setof executions language plpgsql as $$
declare
  v_key text;
  v_jobs graphile_worker.job_spec[];
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
      select keys.key, places_taken(keys.key) as placed,
             (select count(*) from executions where limit_key = keys.key and executions.state = 'running') as running
        from (select distinct given.key from given where given.is_taken) keys
    ), claimed as (
      select counted.id, counted.is_placed
        from (select given.id, given.key, given.is_placed,
                     row_number() over earlier as nth, count(*) filter (where given.is_placed) over earlier as nth_placed
                from given where given.is_taken
              window earlier as (partition by given.key order by given.number)) counted
        join room on room.key = counted.key
       where room.running + counted.nth <= p_limit
         and (not counted.is_placed or room.placed + counted.nth_placed <= p_limit)
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
  select array_agg(('execute', json_build_object('id', id), null, now(), null, id, 0, null)::graphile_worker.job_spec)
    into v_jobs from json_to_recordset(p_new) as given (id text, is_taken boolean) where not is_taken;
  -- All of them at once: one by one they take as long as the rest of the start.
  if v_jobs is not null then
    perform graphile_worker.add_jobs(v_jobs);
  end if;
end
$$;
`,
};
