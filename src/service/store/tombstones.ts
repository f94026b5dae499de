import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Tx } from "./store.ts";

/** Keys in one block: two blocks fill a page. */
const inBlock = sql.lit(320);

/** Something that is deleted for good in this transaction. */
export interface Gone {
  readonly id: string;
  /** Who could see it, as `artifact_audience` names them: `user:…`, `team:…`, `email:…`, `everybody`. */
  readonly audiences: readonly string[];
  /** Of the rule of retention by which it goes, in days; null: a person deleted it. */
  readonly ruleDays: number | null;
  /** When a person did; null: now. */
  readonly at: Date | null;
}

/** What is known of something that was deleted. */
export interface Deletion {
  /** To the hour. */
  readonly at: Date;
  /** Of the rule of retention; null: a person deleted it. */
  readonly ruleDays: number | null;
}

/** Whose a run or conversation was, as audiences. */
export function ownerAudiences(owner: {
  readonly user_id: string | null;
  readonly team_id: string | null;
}): string[] {
  const { user_id, team_id } = owner;
  return [...(user_id === null ? [] : [`user:${user_id}`]), ...(team_id === null ? [] : [`team:${team_id}`])];
}

/** Leaves a tombstone of each of these for each audience, in the transaction that deletes them. */
export async function leaveTombstones(tx: Tx, gone: readonly Gone[]): Promise<void> {
  const stones = gone.flatMap(({ audiences, ...one }) => audiences.map((audience) => ({ ...one, audience })));
  if (stones.length === 0) return;
  const of = sql`unnest(${stones.map(({ id }) => id)}::text[], ${stones.map(({ audience }) => audience)}::text[],
    ${stones.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[],
    ${stones.map(({ ruleDays }) => ruleDays)}::int[]) one (id, audience, at, rule_days)`;
  const hour = sql`date_trunc('hour', coalesce(one.at, now()), 'UTC')`;
  await sql`insert into deletions (at, rule_days) select distinct ${hour}, one.rule_days from ${of}
    on conflict do nothing`.execute(tx);
  const keys = sql`
    select tombstone_key(one.id, one.audience) as key, deletions.id as deletion_id, deletions.at
      from ${of} join deletions on deletions.at = ${hour} and coalesce(deletions.rule_days, -1) = coalesce(one.rule_days, -1)`;
  await writeSegment(tx, 0, keys);
}

/**
 * Writes a segment.
 * @param source `key`, `deletion_id` and the deletion's `at`
 */
export async function writeSegment(tx: Tx, level: number, source: RawBuilder<unknown>): Promise<void> {
  await sql`
    with source as materialized (${source}),
    segment as (
      insert into tombstone_segments (level, keys, oldest, newest)
      select ${sql.lit(level)}, count(*), min(at), max(at) from source returning id
    ),
    placed as (select *, (row_number() over (order by key) - 1) / ${inBlock} as block from source)
    insert into tombstones (segment_id, first_key, keys, deletion_ids)
    select segment.id, min(key), array_agg(key order by key), array_agg(deletion_id order by key)
      from placed, segment group by segment.id, block`.execute(tx);
}

/**
 * When something was deleted, for whoever might have seen it.
 * @param audiences of the caller, as expressions
 * @returns null where nothing of it is known, or it was none of the caller's
 */
export async function findTombstone(
  db: Kysely<Database>,
  id: string,
  audiences: readonly RawBuilder<string>[],
): Promise<Deletion | null> {
  if (audiences.length === 0) return null;
  const { rows } = await sql<{ at: Date; rule_days: number | null }>`
    select deletions.at, deletions.rule_days
      from (select tombstone_key(${id}, audience) as key from unnest(array[${sql.join([...audiences])}]::text[]) audience) one
     cross join tombstone_segments segment
     cross join lateral (
       select keys, deletion_ids from tombstones
        where segment_id = segment.id and first_key <= one.key order by first_key desc limit 1) block
      join deletions on deletions.id = block.deletion_ids[array_position(block.keys, one.key)]
     order by deletions.at desc limit 1`.execute(db);
  const [found] = rows;
  return found === undefined ? null : { at: found.at, ruleDays: found.rule_days };
}
