import type { Migration } from "./index.ts";

/**
 * What runs and messages say, for being searched: written some time after their end, by whoever does the work of the
 * service, so that no run waits for it. The index over the texts needs `pg_trgm` and is made at a start of the service
 * (src/service/search/index-tables.ts), as not every database has that.
 */
export const search: Migration = {
  name: "0022_search",
  sql: `
-- What has ended is looked for in this order.
create index executions_finished on executions (finished_at)
  where finished_at is not null and kind in ('pipeline', 'turn');

create table search_runs (
  -- the order in which they could be found first: a reader who goes back meets nothing twice
  seq bigint generated always as identity primary key,
  run_id text not null references executions (id) on delete cascade,
  -- of the log; name, inputs, outputs and files are in the row of the first line
  first_line integer not null,
  last_line integer not null,
  -- as in the execution, where they never change
  user_id text,
  team_id text,
  ended_at timestamptz not null,
  -- folded, and in ASCII alone: src/service/search/fold.ts
  text text not null,
  unique (run_id, first_line)
);

create table search_messages (
  seq bigint generated always as identity primary key,
  interaction_id text not null,
  message_seq integer not null,
  user_id text,
  team_id text,
  ended_at timestamptz not null,
  text text not null,
  unique (interaction_id, message_seq),
  foreign key (interaction_id, message_seq) references messages (interaction_id, seq) on delete cascade
);

-- Everything that ended before, and of that moment all up to this id, has its rows.
create table search_progress (
  only_row boolean primary key default true check (only_row),
  ended_at timestamptz not null,
  id text not null
);
insert into search_progress (ended_at, id) values ('-infinity', '');

-- Whose a row is, in which stretch of all rows: of 1024, of 4096, and so on to a million. With it the index reads the rows
-- of one reader in one stretch and no others. It calls no function of ours: an index is built without our search path.
create function search_stretches(p_user text, p_team text, p_seq bigint) returns text[]
language sql immutable parallel safe as $$
  select array(select level || ' ' || ((p_seq - 1) >> (10 + 2 * level)) || ' ' || reader
                 from generate_series(0, 5) level, unnest(array['user ' || p_user, 'team ' || p_team]) reader
                where reader is not null)
$$;
`,
};
