import type { Migration } from "./index.ts";

/** What retention leaves alone because somebody wants it kept, and what it has yet to finish. */
export const retention: Migration = {
  name: "0025_retention",
  sql: `
-- No cascade: the database itself refuses to let go of what is kept.
create table kept_runs (
  execution_id text primary key references executions (id),
  -- null: a key of the team
  kept_by text references users (id) on delete set null,
  kept_at timestamptz not null default now()
);
create table kept_conversations (
  interaction_id text primary key references interactions (id),
  kept_by text references users (id) on delete set null,
  kept_at timestamptz not null default now()
);

-- Long logs of runs that are gone: their lines go in small steps after the run, and whoever comes next goes on.
create table removed_logs (
  execution_id text primary key
);

-- Whatever became of a conversation's artifacts, also of those that are deleted.
create index artifacts_conversation on artifacts (interaction_id);
`,
};
