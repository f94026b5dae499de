import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { goesBefore, type RetentionRules, youngest } from "./rules.ts";
import type { Batch } from "./walk.ts";

/** All that retention knows of how the search keeps its rows; what says of a run that is deleted goes by itself. */

const tables = ["search_blocks", "search_pending"] as const;
/** Rows looked at in one transaction. */
const looked = 1_000;

/** Where the walk through one of the tables has come to. */
export interface SearchPlace {
  readonly table: (typeof tables)[number];
  readonly number: string;
}

/**
 * Deletes the next rows that are too old, in the order in which they were written, which is about that of the ends. A block
 * is as old as its newest run.
 */
export async function forgetSearched(
  tx: Tx,
  rules: RetentionRules,
  after: SearchPlace | null,
): Promise<Batch<SearchPlace>> {
  const { table, number } = after ?? { table: "search_blocks", number: "0" };
  const { rows } = await sql<{ number: string; old: boolean; young: boolean }>`
    select s.number, s.ended_at < ${goesBefore(rules.search_index, "s.team_id")} as old,
           s.ended_at >= ${youngest(rules, ["search_index"])} as young
      from ${sql.table(table)} s where s.number > ${number}::bigint order by s.number limit ${sql.lit(looked)}`.execute(
    tx,
  );
  const last = rows.at(-1);
  const isOver = last === undefined || rows.length < looked || rows.every(({ young }) => young);
  const old = rows.filter((row) => row.old).map((row) => row.number);
  if (old.length > 0)
    await sql`delete from ${sql.table(table)} where number = any(${old}::bigint[])`.execute(tx);
  const next = !isOver
    ? { table, number: last.number }
    : table === "search_blocks"
      ? ({ table: "search_pending", number: "0" } as const)
      : null;
  return { removed: old.length, fileIds: [], next };
}

/** The rows that are too old: `user_id`, `team_id`, `ended_at`, `bytes`. */
export function oldSearchRows(rules: RetentionRules): RawBuilder<unknown> {
  const select = (table: (typeof tables)[number]) => sql`
    select nullif(s.user_id, '') as user_id, nullif(s.team_id, '') as team_id, s.ended_at,
           pg_column_size(s.*) as bytes from ${sql.table(table)} s
     where s.ended_at < ${goesBefore(rules.search_index, "s.team_id")}`;
  return sql`${select("search_blocks")} union all ${select("search_pending")}`;
}
