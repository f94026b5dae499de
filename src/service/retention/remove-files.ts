import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { heldTrees } from "./held.ts";
import { goesBefore, type RetentionRules } from "./rules.ts";
import type { Batch } from "./walk.ts";

/** Files looked at in one transaction. */
const looked = 500;

/** The run of a file ended too long ago, as a condition on `executions e`. */
export function hasOldFiles({ run_files }: RetentionRules): RawBuilder<boolean> {
  return sql<boolean>`(e.finished_at < ${goesBefore(run_files, "e.team_id")})`;
}

/** Deletes the next files that are too old, by their ids; their runs stay. @param after the id of the last one looked at */
export async function removeRunFiles(
  tx: Tx,
  rules: RetentionRules,
  after: string | null,
): Promise<Batch<string>> {
  const { rows: files } = await sql<{ id: string; execution_id: string }>`
    select id, execution_id from run_files where id > ${after ?? ""} order by id limit ${sql.lit(looked)}`.execute(
    tx,
  );
  const next = files.length < looked ? null : (files.at(-1)?.id ?? null);
  const owners = [...new Set(files.map(({ execution_id }) => execution_id))];
  // What is not over is not even held: its worker would wait.
  const { rows: runs } = await sql<{ id: string; root_id: string }>`
    select e.id, e.root_id from executions e join executions root on root.id = e.root_id
     where e.id = any(${owners}::text[]) and ${hasOldFiles(rules)} and root.finished_at is not null`.execute(
    tx,
  );
  if (runs.length === 0) return { removed: 0, fileIds: [], next };
  const roots = [...new Set(runs.map(({ root_id }) => root_id))];
  // Whoever marks a run holds the root of its tree.
  await sql`select from executions where id = any(${roots}::text[]) order by id for update`.execute(tx);
  const { rows: old } = await sql<{ id: string }>`
    select e.id from executions e
     where e.id = any(${runs.map(({ id }) => id)}::text[])
       and e.root_id not in (${heldTrees(roots)})
`.execute(tx);
  const ids = old.map(({ id }) => id);
  const { rows: gone } = await sql<{ id: string }>`
    delete from run_files where id = any(${files.map(({ id }) => id)}::text[]) and execution_id = any(${ids}::text[])
    returning id`.execute(tx);
  if (gone.length === 0) return { removed: 0, fileIds: [], next };
  // An ended run never changes but for this: whoever remembers it must not show the files any more.
  await sql`update executions set revision = revision + 1 where id = any(${ids}::text[])`.execute(tx);
  await sql`select forget_runs(${ids}::text[])`.execute(tx);
  return { removed: gone.length, fileIds: gone.map(({ id }) => id), next };
}
