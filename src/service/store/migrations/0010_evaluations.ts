import type { Migration } from "./index.ts";

/** Evaluations that run: a result has a status, the turn up to which it judges, and is there once for each. */
export const evaluations: Migration = {
  name: "0010_evaluations",
  sql: `
alter table evaluation_results
  -- up to and with which turn of the conversation it judges
  add column turn integer,
  add column status text not null default 'completed' check (status in ('queued', 'running', 'completed', 'failed')),
  add column error text,
  -- whether it was started by hand, also where the configuration is switched off
  add column manual boolean not null default false,
  -- whether it waits until the conversation is quiet; it is dropped when another turn ends first
  add column quiet boolean not null default false,
  -- the result of the same turn that it takes the place of as soon as it is completed
  add column replaces text unique references evaluation_results (id) on delete set null,
  add column finished_at timestamptz,
  add check ((status = 'failed') = (error is not null)),
  add check (status = 'completed' or grade is null);

-- A turn is evaluated once by the agent's own configuration, and once by each saved rubric.
create unique index evaluation_results_turn on evaluation_results (interaction_id, turn, coalesce(evaluation_id, ''))
  where replaces is null and turn is not null;
create index evaluation_results_newest on evaluation_results (agent_id, created_at desc, id desc);
create index evaluations_owner on evaluations (owner_id, created_at desc, id desc) where deleted_at is null;
create index evaluations_team on evaluations (team_id, created_at desc, id desc) where deleted_at is null and team_id is not null;
`,
};
