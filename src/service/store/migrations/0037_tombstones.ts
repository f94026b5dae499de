import type { Migration } from "./index.ts";

/**
 * That something was deleted, when and by what: so little that a year of it is no matter, and of no use to anybody who does
 * not know the id and might not have seen it. A row for each would take 70 bytes with its index, and a page of that index
 * written anew for each, as ids come in no order; in blocks of sorted keys it is 13 bytes and no such page.
 */
export const tombstones: Migration = {
  name: "0037_tombstones",
  sql: `
-- What is known of the deletions of one hour.
create table deletions (
  id int generated always as identity primary key,
  at timestamptz not null,
  -- of the rule by which it went; null: a person deleted it
  rule_days int
);
create unique index deletions_one on deletions (at, coalesce(rule_days, -1));

-- What was written together: small ones are merged into larger ones (src/service/store/merge-tombstones.ts).
create table tombstone_segments (
  id bigint generated always as identity primary key,
  level int not null,
  keys int not null,
  oldest timestamptz not null,
  newest timestamptz not null
);
create table tombstones (
  segment_id bigint not null references tombstone_segments (id) on delete cascade,
  -- the first of its keys, which are sorted; the next block of the segment goes on where it ends
  first_key bigint not null,
  keys bigint[] not null,
  -- one for each key
  deletion_ids int[] not null,
  primary key (segment_id, first_key)
-- Two blocks of 320 keys fill a page, in the table itself: nothing of them can be compressed.
) with (toast_tuple_target = 4080);
alter table tombstones alter column keys set storage external, alter column deletion_ids set storage external;

-- Of whom might have seen it each has a key of their own; whoever has both names can make it, and nothing leads back.
create function tombstone_key(id text, audience text) returns bigint
language sql immutable strict parallel safe as $$
  select ('x' || encode(substring(sha256(convert_to(id || ' ' || audience, 'UTF8')) for 8), 'hex'))::bit(64)::bigint
$$;
`,
};
