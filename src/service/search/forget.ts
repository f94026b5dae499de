import { sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { blockText } from "./blocks.ts";
import { type Ended, endedColumns, endedTalks, readEnded } from "./read-ended.ts";

/** What is deleted is taken out so many at a time. */
const batch = 2_000;

interface Deleted extends Pick<Ended, "kind" | "user_id" | "team_id"> {
  readonly id: string;
  readonly ended_at: string;
}

interface Touched {
  readonly number: string;
  readonly ids: readonly string[];
  readonly numbers: readonly string[];
}

/**
 * Takes the texts of what was deleted out of the index, as the triggers of migration 0023 have noted it: the oldest first, as
 * a block is gone with the last of its members. Nobody finds them meanwhile: what is found is read from the runs themselves.
 * @returns how many were deleted
 */
export async function forgetDeleted(tx: Tx): Promise<number> {
  const { rows: deleted } = await sql<Deleted>`
    delete from search_deleted where id in (select id from search_deleted order by ended_at limit ${sql.lit(batch)})
    returning id, kind, user_id, team_id, ended_at::text`.execute(tx);
  if (deleted.length === 0) return 0;
  const ids = new Set(deleted.map(({ id }) => id));
  const gone = sql`json_to_recordset(${JSON.stringify(deleted)})
    gone (id text, kind text, user_id text, team_id text, ended_at timestamptz)`;
  await sql`
    delete from search_pending pending using ${gone}
     where pending.id = gone.id and (pending.user_id, pending.team_id, pending.kind) = (gone.user_id, gone.team_id, gone.kind)`.execute(
    tx,
  );
  const { rows: near } = await sql<Touched>`
    select distinct block.number, block.ids, block.numbers
      from (select kind, user_id, team_id, min(ended_at) as first, max(ended_at) as last from ${gone} group by 1, 2, 3) owner
      join search_blocks block on (block.kind, block.user_id, block.team_id) = (owner.kind, owner.user_id, owner.team_id)
       and block.first_ended_at <= owner.last and block.ended_at >= owner.first`.execute(tx);
  const touched = near.filter((block) => block.ids.some((id) => ids.has(id)));
  const empty = touched.filter((block) => block.ids.every((id) => ids.has(id)));
  await sql`delete from search_blocks where number = any(${empty.map(({ number }) => number)}::bigint[])`.execute(
    tx,
  );
  await writeAnew(
    tx,
    touched.filter((block) => !empty.includes(block)),
    ids,
  );
  return deleted.length;
}

/** Blocks with the texts of those members that are left: a block of several has all of each. */
async function writeAnew(tx: Tx, blocks: readonly Touched[], without: ReadonlySet<string>): Promise<void> {
  if (blocks.length === 0) return;
  const left = blocks.flatMap(({ ids }) => ids.filter((id) => !without.has(id)));
  const { rows: ended } = await sql<Ended>`
    select ${endedColumns} from executions e ${endedTalks} where e.id = any(${left}::text[])`.execute(tx);
  const texts = new Map<string, string[]>();
  for await (const some of readEnded(tx, ended)) {
    for (const said of some) texts.set(said.owner.id, [...(texts.get(said.owner.id) ?? []), ...said.texts]);
  }
  const rows = blocks.map(({ number, ids, numbers }) => {
    const kept = ids.flatMap((id, at) => (without.has(id) ? [] : [{ id, number: numbers[at] }]));
    return {
      number,
      ids: kept.map(({ id }) => id),
      numbers: kept.map((one) => one.number),
      text: blockText(kept.map(({ id }) => texts.get(id) ?? [])),
    };
  });
  await sql`
    update search_blocks block set ids = anew.ids, numbers = anew.numbers, text = anew.text
      from json_to_recordset(${JSON.stringify(rows)}) anew (number bigint, ids text[], numbers bigint[], text text)
     where block.number = anew.number`.execute(tx);
}
