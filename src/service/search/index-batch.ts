import { sql } from "kysely";
import { mayRest } from "../store/lock.ts";
import type { Store, Tx } from "../store/store.ts";
import { addToBlocks } from "./blocks.ts";
import { forgetDeleted } from "./forget.ts";
import { type Ended, endedColumns, endedTalks, readEnded, type Said } from "./read-ended.ts";

/**
 * Runs and turns in one transaction. There are as many only where the index is behind: then each of them costs the less the
 * more share the looks around them, and most come into a block without having been pending.
 */
const usualBatch = 5_000;
/** So many of them are read at once, with all that they say but their logs. */
const readAtOnce = 500;
/** Lines of logs in one transaction, unless one run alone has more. */
const mostLines = 50_000;
/** Characters that come into blocks together. */
const mostLength = 1_000_000;
/** Milliseconds that texts of one read may take, in steps with pauses for all else; nobody waits for what is written here. */
const restMs = 60_000;

/**
 * Writes what the next runs and turns say that have ended, and takes out what was deleted. One process does it at a time.
 * @param batch how many at most
 * @returns how many there were; null where somebody else is at it
 */
export async function indexBatch({ db }: Pick<Store, "db">, batch = usualBatch): Promise<number | null> {
  return await db.transaction().execute(async (tx) => {
    // All of this can be made again from what it is made of. The planner takes each batch for a full one, and would read whole
    // tables for it. What a batch adds goes into the index at its end, all at once.
    await sql`select set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
                     set_config('gin_pending_list_limit', '16MB', true)`.execute(tx);
    const { rows: locks } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('search batch', 0)) as mine`.execute(tx);
    if (locks[0]?.mine !== true) return null;
    await mayRest(tx, restMs);
    // Before texts are read: whose deletion is not seen here yet is taken out by the next batch.
    const deleted = await forgetDeleted(tx);
    // Before what has ended is read: whoever began later also ends later.
    const settled = await settledUntil(tx);
    const next = await nextEnded(tx, batch);
    const ended = upToLines(next);
    let last = 0;
    let hasBlocks = false;
    for await (const said of inPortions(tx, ended)) {
      const added = await addToBlocks(tx, said);
      last = Math.max(last, added.last);
      hasBlocks ||= added.hasBlocks;
    }
    if (hasBlocks || deleted > 0) await settleIndex(tx);
    const isAll = next.length < batch && ended.length === next.length;
    await advance(tx, settled, { end: isAll ? null : (ended.at(-1) ?? null), last });
    return ended.length + deleted;
  });
}

/** Those of them whose logs one transaction can take; at least the first. */
function upToLines(ended: readonly Ended[]): readonly Ended[] {
  let lines = 0;
  const over = ended.findIndex(({ log_count }) => {
    lines += log_count;
    return lines > mostLines;
  });
  return over === -1 ? ended : ended.slice(0, Math.max(1, over));
}

/** What they say: the more there is of an owner at once, the less of it is pending first. */
async function* inPortions(tx: Tx, ended: readonly Ended[]): AsyncGenerator<readonly Said[]> {
  let portion: Said[] = [];
  let length = 0;
  for (let from = 0; from < ended.length; from += readAtOnce) {
    for await (const some of readEnded(tx, ended.slice(from, from + readAtOnce))) {
      portion.push(...some);
      length += some.reduce((sum, { texts }) => sum + texts.reduce((all, text) => all + text.length, 0), 0);
      if (length < mostLength) continue;
      yield portion;
      [portion, length] = [[], 0];
    }
  }
  if (portion.length > 0) yield portion;
}

/**
 * What ended before this time is committed, or never will be. An end has the time at which its transaction began: what is
 * still under way may end anything since then. A second for what has begun and is not reported yet.
 */
async function settledUntil(tx: Tx): Promise<string> {
  const { rows } = await sql<{ settled: string }>`
    select (least(now(), min(xact_start)) - interval '1 second')::text as settled from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name = current_setting('application_name')`.execute(tx);
  return rows[0]?.settled ?? "-infinity";
}

/** Puts what was just written where it belongs in the index, all at once; else each search would read it one by one. */
async function settleIndex(tx: Tx): Promise<void> {
  await sql`select gin_clean_pending_list(index.oid) from pg_class index
    where index.oid = to_regclass('search_blocks_text')`.execute(tx);
}

/** What is in the index although it may have ended after what came by then: its number is greater than this. */
const known = sql`
  select id, number from search_pending where number > (select number from search_progress)
   union all
  select member.id, member.number from search_blocks, unnest(ids, numbers) member (id, number)
   where search_blocks.number > (select number from search_progress)`;

async function nextEnded(tx: Tx, batch: number): Promise<Ended[]> {
  // Of these alone it is read more: there may be a whole history behind them.
  const { rows } = await sql<Ended>`
    with known as materialized (${known}), next as materialized (
      select id, finished_at from executions
       where finished_at >= (select ended_at from search_progress)
         and (finished_at, id) > ((select ended_at from search_progress), (select id from search_progress))
         and finished_at is not null and kind in ('pipeline', 'turn') and id not in (select id from known)
       order by finished_at, id limit ${sql.lit(batch)}
    )
    select ended.*
      from next cross join lateral (
        -- Each by its id: there may be a full batch of them, for which a join reads everybody's.
        select ${endedColumns} from executions e ${endedTalks} where e.id = next.id offset 0) ended
     order by next.finished_at, next.id`.execute(tx);
  return rows;
}

/**
 * @param end the last of a full batch; null where there was nothing more
 * @param last the greatest number of this batch
 */
async function advance(
  tx: Tx,
  settled: string,
  { end, last }: { end: Ended | null; last: number },
): Promise<void> {
  const [ended, id] = end === null ? ["infinity", ""] : [end.ended_at, end.id];
  await sql`
    with reached as (
      select least(${ended}::timestamptz, ${settled}::timestamptz) as ended_at,
             case when ${ended}::timestamptz < ${settled}::timestamptz then ${id} else '' end as id
    ), known as (${known})
    update search_progress
       set ended_at = reached.ended_at, id = reached.id,
           -- Up to here none is looked for again.
           number = coalesce((select min(known.number) - 1 from known
                               -- Each by its id: a join reads all that has ended since, which may be a whole history.
                               cross join lateral (select from executions e where e.id = known.id
                                  and (e.finished_at, e.id) > (reached.ended_at, reached.id) offset 0) later),
                             greatest(search_progress.number, ${last}))
      from reached
     -- Where nothing happens nothing is written but once in a while.
     where ${end !== null} or search_progress.ended_at < ${settled}::timestamptz - interval '10 seconds'`.execute(
    tx,
  );
}
