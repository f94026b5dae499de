import type { Migration } from "./index.ts";

/**
 * Lists read by their owner: for each way in which runs, conversations and results are listed an index that begins with
 * whose they are and ends with the list's order, so that a page is the beginning of a few indexes, merged.
 */
export const lists: Migration = {
  name: "0020_lists",
  sql: `
drop index executions_team;
drop index executions_user;
drop index executions_subject;
-- What is asked of turns and evaluations: those of one conversation.
create index executions_subject on executions (subject_id) where kind <> 'pipeline';
create index executions_team on executions (team_id, created_at, id) where kind = 'pipeline' and team_id is not null;
create index executions_user on executions (user_id, created_at, id) where kind = 'pipeline';
create index executions_team_flow on executions (team_id, subject_id, created_at, id)
  where kind = 'pipeline' and team_id is not null;
create index executions_user_flow on executions (user_id, subject_id, created_at, id) where kind = 'pipeline';
-- What is rare among the ended, and what is not ended, which is little: most runs are in none of these.
create index executions_team_bad on executions (team_id, state, created_at, id)
  where kind = 'pipeline' and state in ('failed', 'terminated') and team_id is not null;
create index executions_user_bad on executions (user_id, state, created_at, id)
  where kind = 'pipeline' and state in ('failed', 'terminated');
create index executions_team_open on executions (team_id, created_at, id)
  where kind = 'pipeline' and finished_at is null and team_id is not null;
create index executions_user_open on executions (user_id, created_at, id)
  where kind = 'pipeline' and finished_at is null;

drop index interactions_agent;
create index interactions_team on interactions (agent_id, team_id, created_at, id)
  where deleted_at is null and team_id is not null;
create index interactions_user on interactions (agent_id, user_id, created_at, id) where deleted_at is null;
create index interactions_team_failed on interactions (agent_id, team_id, created_at, id)
  where deleted_at is null and team_id is not null and state = 'failed';
create index interactions_user_failed on interactions (agent_id, user_id, created_at, id)
  where deleted_at is null and state = 'failed';
create index interactions_open on interactions (agent_id, created_at, id)
  where deleted_at is null and state = 'processing';

-- Whose conversation was judged. It never changes, and is kept by the database alone.
alter table evaluation_results add column user_id text, add column team_id text;
update evaluation_results result set user_id = i.user_id, team_id = i.team_id
  from interactions i where i.id = result.interaction_id;
create function own_evaluation_result() returns trigger language plpgsql as $$
begin
  select user_id, team_id into new.user_id, new.team_id from interactions where id = new.interaction_id;
  return new;
end
$$;
create trigger evaluation_results_owner before insert on evaluation_results
  for each row execute function own_evaluation_result();
drop index evaluation_results_newest;
create index evaluation_results_team on evaluation_results (agent_id, team_id, created_at, id) where team_id is not null;
create index evaluation_results_user on evaluation_results (agent_id, user_id, created_at, id);
create index evaluation_results_rubric_team on evaluation_results (evaluation_id, team_id, created_at, id)
  where evaluation_id is not null and team_id is not null;
create index evaluation_results_rubric_user on evaluation_results (evaluation_id, user_id, created_at, id)
  where evaluation_id is not null;
create index evaluation_results_talk on evaluation_results (interaction_id, created_at, id);

-- The text of runs that lists search, by each three letters of it. PostgreSQL brings what that takes, but its owner may
-- not be allowed to have it: then lists find the same by looking through the newest, page by page. Whoever adds
-- pg_trgm later calls this again.
create function index_run_texts() returns void language plpgsql as $$
begin
  begin
    create extension if not exists pg_trgm;
  exception when insufficient_privilege or undefined_file or feature_not_supported or invalid_parameter_value then
    return;
  end;
  create index if not exists executions_text on executions
    using gin (lower(id || ' ' || coalesce(input ->> 'name', '') || ' ' || coalesce(input ->> 'inputs', '')) gin_trgm_ops)
    -- What is put off is little: whoever puts it in, or searches it, is not held up.
    with (gin_pending_list_limit = 256)
    where kind = 'pipeline' and finished_at is not null;
end
$$;
select index_run_texts();
`,
};
