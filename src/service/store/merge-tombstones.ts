import { sql } from "kysely";
import { tryAdvisoryLock } from "./lock.ts";
import type { Store, Tx } from "./store.ts";
import { writeSegment } from "./tombstones.ts";

/** So many segments of one size become one of the next. Whoever looks something up looks once into each. */
export const mergedAtOnce = 32;
/** Segments of this level are not merged any more: some 300,000 keys, which take a second or two. */
const topLevel = 2;
/** After so many days a tombstone goes, with all of its segment. */
const keptDays = sql.lit(365);
/** Some 650 MB; beyond them the oldest go. */
const maxKeys = sql.lit(50_000_000);

/**
 * Merges tombstones until few segments are left, and forgets the oldest. Each step is a transaction of its own, and complete;
 * what another process does meanwhile is left to it.
 */
export async function mergeTombstones({ db }: Pick<Store, "db">, signal?: AbortSignal): Promise<void> {
  for (let goesOn = true; goesOn && !signal?.aborted; ) {
    goesOn = await db.transaction().execute(mergeOnce);
  }
}

/** @returns whether there may be more to merge */
async function mergeOnce(tx: Tx): Promise<boolean> {
  if (!(await tryAdvisoryLock(tx, "tombstones"))) return false;
  const { rows } = await sql<{ level: number; ids: string[] }>`
    select level, (array_agg(id order by id))[:${sql.lit(mergedAtOnce)}] as ids from tombstone_segments
     where level < ${sql.lit(topLevel)} group by level having count(*) >= ${sql.lit(mergedAtOnce)}
     order by level limit 1`.execute(tx);
  const [full] = rows;
  if (full === undefined) {
    await forgetOldest(tx);
    return false;
  }
  await writeSegment(
    tx,
    full.level + 1,
    sql`select one.key, one.deletion_id, deletions.at
          from tombstones cross join lateral unnest(keys, deletion_ids) one (key, deletion_id)
          join deletions on deletions.id = one.deletion_id
         where segment_id = any(${full.ids}::bigint[])`,
  );
  await sql`delete from tombstone_segments where id = any(${full.ids}::bigint[])`.execute(tx);
  return true;
}

async function forgetOldest(tx: Tx): Promise<void> {
  await sql`
    delete from tombstone_segments where newest < now() - make_interval(days => ${keptDays}) or id in (
      select id from (select id, sum(keys) over (order by newest desc, id desc) as younger from tombstone_segments) one
       where younger > ${maxKeys})`.execute(tx);
  await sql`
    delete from deletions where at < least(now() - make_interval(days => ${keptDays}),
                                           (select min(oldest) from tombstone_segments))`.execute(tx);
}
