import type { Migration } from "./index.ts";

/**
 * Starts that come in the same moment, in one statement. What the starting process has room for begins its life claimed by
 * it: running, with a lease, in epoch 1, if its team has a place. Should that process die, the sweep finds it like
 * everything else that a dead worker had.
 */
export const startTogether: Migration = {
  name: "0024_start_together",
  sql: `
-- p_new is a list of {id, kind, subject_id, user_id, team_id, input, is_taken}: is_taken where the process p_owner has room
-- for it; the queue hands out the others. What is taken and finds no place is queued, and it is the taker's to claim it.
-- Gives back what was made: ids that are there already are left alone. p_placed are the kinds that have places.
create function start_executions(p_new json, p_owner text, p_placed text[], p_lease interval, p_limit integer)
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
  perform graphile_worker.add_job('execute', json_build_object('id', id), run_at => now(), job_key => id, priority => 0)
     from json_to_recordset(p_new) as given (id text, is_taken boolean) where not is_taken;
end
$$;
`,
};
