import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { goesBefore, type RetentionRules, youngest } from "./rules.ts";
import type { Batch } from "./walk.ts";

/** All that retention knows of how the search keeps its rows; what goes with its run or message goes by itself. */

const tables = ["search_runs", "search_messages"] as const;
/** Rows looked at in one transaction. */
const looked = 1_000;

/** Where the walk through one of the tables has come to. */
export interface SearchPlace {
  readonly table: (typeof tables)[number];
  readonly seq: string;
}

/** Deletes the next rows that are too old, in the order in which they were written, which is about that of the ends. */
export async function forgetSearched(
  tx: Tx,
  rules: RetentionRules,
  after: SearchPlace | null,
): Promise<Batch<SearchPlace>> {
  const { table, seq } = after ?? { table: "search_runs", seq: "0" };
  const { rows } = await sql<{ seq: string; old: boolean; young: boolean }>`
    select s.seq, s.ended_at < ${goesBefore(rules.search_index, "s.team_id")} as old,
           s.ended_at >= ${youngest(rules, ["search_index"])} as young
      from ${sql.table(table)} s where s.seq > ${seq}::bigint order by s.seq limit ${sql.lit(looked)}`.execute(
    tx,
  );
  const last = rows.at(-1);
  const isOver = last === undefined || rows.length < looked || rows.every(({ young }) => young);
  const old = rows.filter((row) => row.old).map((row) => row.seq);
  if (old.length > 0)
    await sql`delete from ${sql.table(table)} where seq = any(${old}::bigint[])`.execute(tx);
  const next = !isOver
    ? { table, seq: last.seq }
    : table === "search_runs"
      ? ({ table: "search_messages", seq: "0" } as const)
      : null;
  return { removed: old.length, fileIds: [], next };
}

/** The rows that are too old: `user_id`, `team_id`, `ended_at`, `bytes`. */
export function oldSearchRows(rules: RetentionRules): RawBuilder<unknown> {
  const select = (table: (typeof tables)[number]) => sql`
    select s.user_id, s.team_id, s.ended_at, pg_column_size(s.*) as bytes from ${sql.table(table)} s
     where s.ended_at < ${goesBefore(rules.search_index, "s.team_id")}`;
  return sql`${select("search_runs")} union all ${select("search_messages")}`;
}
