import type { Migration } from "./index.ts";

/**
 * What an execution waits for a worker is no time of its own. Until now a turn that was queued again (after an answer, a
 * takeover, without room) lost that time, and the limit of what a node had started began before that had a place.
 */
export const waited: Migration = {
  name: "0082_waited",
  sql: `
-- Since it was first claimed, while it was ready or nobody had it, or the worker that had it had not begun.
alter table executions add column waited_ms double precision not null default 0;
-- Of a wait that is the limit of another execution's own time: whose, and how long.
alter table steps add column limited_id text, add column limit_ms double precision;

create or replace function take_execution(p_id text, p_owner text, p_placed text[], p_lease interval)
returns setof executions language plpgsql as $$
begin
  return query
    update executions
       set state = 'running', owner = p_owner, epoch = epoch + 1, lease = clock_timestamp() + p_lease, held_at = null,
           has_place = has_place or (parent_id is null and started_at is null and kind = any (p_placed)),
           started_at = coalesce(started_at, now()),
           -- What people had not answered yet by then counts as theirs already.
           waited_ms = waited_ms + case when started_at is null then 0 else greatest(0, 1000 * extract(epoch from
             clock_timestamp() - case when not waits_for_people then queued_at else greatest(queued_at, (
               select max(coalesce(answered_at, ended_at, least(lapses_at, clock_timestamp())))
                 from approvals where execution_id = p_id)) end)) end,
           revision = revision + (started_at is null)::integer
     where id = p_id and state = 'queued'
    returning *;
end
$$;
`,
};
