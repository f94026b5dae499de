import type { Migration } from "./index.ts";

/** Durable execution: executions, the journal of their steps, their logs. */
export const engine: Migration = {
  name: "0001_engine",
  sql: `
create table executions (
  id text primary key,
  kind text not null,
  root_id text not null,
  parent_id text references executions (id),
  parent_step text,
  depth integer not null,
  -- what it is about: the saved item of a run, the interaction of a turn
  subject_id text not null,
  user_id text,
  team_id text,
  -- who shares the limit of running executions
  limit_key text not null generated always as (case when team_id is null then 'user:' || coalesce(user_id, '') else 'team:' || team_id end) stored,
  state text not null default 'queued' check (state in ('queued', 'running', 'waiting', 'done', 'failed', 'terminated')),
  -- rises with each claim; every write of a worker names the one that it holds
  epoch integer not null default 0,
  owner text,
  lease timestamptz,
  -- rises with each thing that a waiting execution is woken by
  wake_seq integer not null default 0,
  -- leases lost in a row without a step in between
  attempts integer not null default 0,
  queued_at timestamptz not null default now(),
  -- since when it waits for a place below the limit
  held_at timestamptz,
  input jsonb not null,
  result jsonb,
  error text,
  log_count integer not null default 0,
  log_bytes integer not null default 0,
  -- executions in the tree, counted on its root alone
  tree_size integer not null default 1,
  -- rises with every change that a reader can see
  revision integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((state in ('done', 'failed', 'terminated')) = (finished_at is not null)),
  check ((parent_id is null) = (parent_step is null)),
  check ((state = 'running') = (owner is not null and lease is not null))
);
create index executions_tree on executions (root_id);
create index executions_children on executions (parent_id) where parent_id is not null;
create index executions_subject on executions (subject_id, created_at desc, id);
create index executions_team on executions (team_id, created_at desc, id) where team_id is not null;
create index executions_user on executions (user_id, created_at desc, id);
create index executions_running on executions (lease) where state = 'running';
create index executions_limited on executions (limit_key) where state = 'running';
create index executions_queued on executions (queued_at) where state = 'queued';
create index executions_held on executions (limit_key, created_at, id) where held_at is not null;

create table steps (
  execution_id text not null references executions (id) on delete cascade,
  key text not null,
  state text not null check (state in ('done', 'failed', 'waiting')),
  output jsonb,
  error text,
  -- a waiting step waits for this time, or for this child
  wake_at timestamptz,
  child_id text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (execution_id, key),
  check ((state = 'waiting') = (finished_at is null)),
  check (state <> 'waiting' or (wake_at is null) <> (child_id is null))
);
create index steps_due on steps (wake_at) where state = 'waiting' and wake_at is not null;

-- No foreign key: lines come in thousands, and only the statement that locks their execution writes them.
create table log_lines (
  execution_id text not null,
  -- from 1, without gaps
  seq integer not null,
  text text not null,
  primary key (execution_id, seq)
);

-- One worker's attempt to get an execution. No row: somebody else has it, or it is over. A row that is still queued: its
-- team has as many running as it may; it is held, and p_line goes to its log the first time.
create function claim_execution(p_id text, p_owner text, p_kinds text[], p_lease interval, p_limit integer, p_line text)
returns setof executions language plpgsql as $$
declare
  v_key text;
  v_held timestamptz;
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
  if (select count(*) from executions where limit_key = v_key and state = 'running' and id <> p_id) >= p_limit then
    update executions set held_at = now(), log_count = log_count + 1, log_bytes = log_bytes + octet_length(p_line), revision = revision + 1
     where id = p_id and state = 'queued' and held_at is null;
    if found then
      insert into log_lines select id, log_count, p_line from executions where id = p_id;
    end if;
    return query select * from executions where id = p_id and state = 'queued';
    return;
  end if;
  select held_at into v_held from executions where id = p_id;
  return query
    update executions
       set state = 'running', owner = p_owner, epoch = epoch + 1, lease = clock_timestamp() + p_lease, held_at = null,
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

-- Gives the one that has waited longest a job if there is a place for it.
create function wake_held(p_key text, p_limit integer) returns void language sql as $$
  select graphile_worker.add_job('execute', json_build_object('id', id), job_key => id)
    from (select id from executions where limit_key = p_key and state = 'queued' and held_at is not null
           order by created_at, id limit 1) longest
   where (select count(*) from executions where limit_key = p_key and state = 'running') < p_limit
$$;
`,
};
