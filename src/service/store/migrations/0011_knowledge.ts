import type { Migration } from "./index.ts";

/** Knowledge that is found: the files of a source, and the passages that they were cut into. */
export const knowledge: Migration = {
  name: "0011_knowledge",
  sql: `
alter table knowledge_sources
  add column approved_by text references users (id),
  -- the newest execution that reads files of it; null before the first file
  add column sync_run_id text;
create index knowledge_sources_newest on knowledge_sources (created_at desc, id desc);

create table knowledge_files (
  id text primary key,
  source_id text not null references knowledge_sources (id) on delete cascade,
  file_name text not null,
  kind text not null check (kind in ('text', 'markdown', 'html', 'pdf')),
  media_type text not null,
  size double precision not null,
  sha256 text not null,
  -- of the file store; another one for each content that the file has had
  content_id text not null unique,
  -- what the workspace's folder no longer has goes; what was sent stays
  origin text not null check (origin in ('upload', 'workspace')),
  status text not null check (status in ('estimating', 'pending', 'indexing', 'indexed', 'failed')),
  error text,
  page_count integer,
  tokens double precision,
  credits double precision,
  -- whether the source's approval has paid for this content
  in_approval boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (source_id, file_name),
  check ((status = 'failed') = (error is not null))
);

create table knowledge_passages (
  file_id text not null references knowledge_files (id) on delete cascade,
  -- from 1, in the order of the document
  seq integer not null,
  source_id text not null references knowledge_sources (id) on delete cascade,
  page integer,
  page_end integer,
  section text,
  content text not null,
  -- what is indexed, where it differs: words that were broken at the end of a line are in it once with their hyphen
  words text,
  -- every word as it is, and English words by their stems
  index tsvector not null generated always as (
    to_tsvector('simple', coalesce(words, content)) || to_tsvector('english', coalesce(words, content))) stored,
  primary key (file_id, seq)
);
create index knowledge_passages_index on knowledge_passages using gin (index);
create index knowledge_passages_source on knowledge_passages (source_id);

-- Any of the words of a text, whatever stands in it: stems of English words, or words as they are where it has none.
create function some_words(p_text text) returns tsquery language sql immutable as $$
  select coalesce(string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')::tsquery, ''::tsquery)
    from unnest(coalesce(nullif(tsvector_to_array(to_tsvector('english', p_text)), '{}'),
                         tsvector_to_array(to_tsvector('simple', p_text)))) as lexeme
$$;

-- An approval is charged once; each content that is added to an active source is charged once as well.
alter table credits
  add column kind text not null default 'approval' check (kind in ('approval', 'upload')),
  add column content_id text unique;
drop index credits_source;
create unique index credits_approval on credits (source_id) where kind = 'approval' and source_id is not null;
create index credits_source on credits (source_id) where source_id is not null;
`,
};
