import type { Migration } from "./index.ts";

/**
 * The search's index in blocks: some runs or turns of one owner in one row, instead of a row for each. They say much the
 * same, so their texts share most of what an index over three letters keeps, and compress well together. What the index
 * had before is dropped: all of the history is indexed anew, in the background.
 *
 * Measured with 20,000 runs of 450 characters each, of words at random: 1,365 bytes a run before (heap 546, index over the
 * texts 722), 279 in blocks of 16 (heap 35, compressed texts 156, index over the texts 80); in blocks of 32 it is a
 * tenth less, and a search compares twice as much. PostgreSQL 0.15 ms a run instead of 0.18, most of it for reading
 * what the run says. Without `fastupdate` the index has 20 bytes less and takes a sixth more time. Six levels of stretches
 * are 12 labels for 16 runs: not worth fewer.
 *
 * A run whose text must go needs nothing but `delete from executions` (of a conversation: its messages, turns or itself):
 * triggers note what is gone once a statement, and the next batch of the index takes it out of its blocks
 * (src/service/search/forget.ts), whole blocks where all of their runs are gone. Delete the oldest first and many with a
 * statement, each table with a statement of its own: what lies together is then looked up and written anew together. To
 * shorten the index alone, delete blocks by `ended_at`, the end of their newest run, and what is pending by its own; it
 * does not come back.
 */
export const searchBlocks: Migration = {
  name: "0023_search_blocks",
  beside: "what has ended is indexed for the search, the oldest first",
  sql: `
drop table search_runs, search_messages;
drop function search_stretches(text, text, bigint);

-- The order in which what has ended was indexed: a reader who goes back by it meets nothing twice. A turn has two, of its
-- question and then of its answer; a long log one for each of its parts.
create sequence search_numbers;

create table search_blocks (
  -- the greatest of its members, and the least
  number bigint primary key,
  first_number bigint not null,
  -- the ends of its members
  first_ended_at timestamptz not null,
  ended_at timestamptz not null,
  -- of the log, where it is one part of one run; the first of them has the name, inputs, outputs and files
  first_line integer,
  last_line integer,
  -- of its members, as is whose they are: the run's, or the conversation's; '' for nobody
  kind text not null,
  user_id text not null,
  team_id text not null,
  -- executions, oldest first, each with its number: of a turn that of the answer
  ids text[] not null,
  numbers bigint[] not null,
  -- folded, and in ASCII alone: src/service/search/fold.ts
  text text not null
);
-- Where what is deleted is looked up.
create index search_blocks_owner on search_blocks (kind, user_id, team_id, first_ended_at, ended_at);

-- What is not enough for a block yet; it is few for each owner, and searched without an index over the texts.
create table search_pending (
  number bigint primary key,
  kind text not null,
  user_id text not null,
  team_id text not null,
  id text not null,
  ended_at timestamptz not null,
  -- of the texts, in characters
  length integer not null,
  texts json not null
);
create index search_pending_owner on search_pending (user_id, team_id, kind);
create index search_pending_team on search_pending (team_id) where team_id <> '';

-- Whose text is to be taken out of the index.
create table search_deleted (
  id text primary key,
  kind text not null,
  user_id text not null,
  team_id text not null,
  ended_at timestamptz not null
);
create index search_deleted_oldest on search_deleted (ended_at);

-- Everything that ended before, and of that moment all up to this id, is in the index. What ended later and is in it all
-- the same has greater numbers than this.
alter table search_progress add column number bigint not null default 0;
update search_progress set ended_at = '-infinity', id = '';

-- Whose a block is, in which stretch of all numbers: of 1024, of 4096, and so on to a million. With it the index reads the
-- blocks of one reader in one stretch and no others. It calls no function of ours: an index is built without our search path.
create function search_stretches(p_user text, p_team text, p_number bigint) returns text[]
language sql immutable parallel safe as $$
  select array(select level || ' ' || ((p_number - 1) >> (10 + 2 * level)) || ' ' || reader
                 from generate_series(0, 5) level,
                      unnest(array['user ' || nullif(p_user, ''), 'team ' || nullif(p_team, '')]) reader
                where reader is not null)
$$;

-- Whichever of a turn and its conversation goes first finds the other.
create function forget_searched() returns trigger language plpgsql as $$
begin
  -- Without that index nothing is written for the search.
  if to_regclass('search_blocks_text') is null then return null; end if;
  if tg_table_name = 'executions' then
    insert into search_deleted (id, kind, user_id, team_id, ended_at)
      select gone.id, gone.kind, coalesce(gone.user_id, ''), coalesce(gone.team_id, ''), gone.finished_at
        from gone where gone.kind = 'pipeline' and gone.finished_at is not null
       union all
      select gone.id, gone.kind, coalesce(talk.user_id, ''), coalesce(talk.team_id, ''), gone.finished_at
        from gone join interactions talk on talk.id = gone.subject_id
       where gone.kind = 'turn' and gone.finished_at is not null
      on conflict do nothing;
  elsif tg_table_name = 'interactions' then
    insert into search_deleted (id, kind, user_id, team_id, ended_at)
      select turn.id, turn.kind, coalesce(gone.user_id, ''), coalesce(gone.team_id, ''), turn.finished_at
        from gone join executions turn on turn.subject_id = gone.id and turn.kind = 'turn'
       where turn.finished_at is not null
      on conflict do nothing;
  else
    insert into search_deleted (id, kind, user_id, team_id, ended_at)
      select turn.id, turn.kind, coalesce(talk.user_id, ''), coalesce(talk.team_id, ''), turn.finished_at
        from (select distinct interaction_id from gone) gone
        join interactions talk on talk.id = gone.interaction_id
        join executions turn on turn.subject_id = talk.id and turn.kind = 'turn'
       where turn.finished_at is not null
      on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger executions_forget_searched after delete on executions
  referencing old table as gone for each statement execute function forget_searched();
create trigger interactions_forget_searched after delete on interactions
  referencing old table as gone for each statement execute function forget_searched();
create trigger messages_forget_searched after delete on messages
  referencing old table as gone for each statement execute function forget_searched();
`,
};
