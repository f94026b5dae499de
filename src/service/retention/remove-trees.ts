import { sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { leaveTombstones, ownerAudiences } from "../store/tombstones.ts";
import { inTrees } from "../store/trees.ts";
import type { Days } from "./rules.ts";

/** Lines of logs that go in the transaction of their runs; longer logs go afterwards, in steps of about as many. */
const linesAtOnce = 5_000;

interface Going {
  readonly id: string;
  readonly kind: string;
  readonly root_id: string;
  readonly user_id: string | null;
  readonly team_id: string | null;
}

/**
 * Deletes executions with all that they started, their steps, logs and files; the search forgets them with their rows. Each
 * run leaves a tombstone. A turn below them is part of a conversation, which has a time of its own: it stays with what it
 * started, as if nothing had been above it.
 * @param roots locked, and over with everything below them; for each the days of the rule by which it goes
 * @returns how many executions are gone, and the ids of files that nothing of them names any more
 */
export async function removeTrees(
  tx: Tx,
  roots: ReadonlyMap<string, Days>,
): Promise<{ readonly executions: number; readonly fileIds: readonly string[] }> {
  const rootIds = [...roots.keys()];
  await detachTurns(tx, rootIds);
  const { rows } = await sql<Going>`
    select id, kind, root_id, user_id, team_id from executions where ${inTrees("executions", rootIds)}`.execute(
    tx,
  );
  const ids = rows.map(({ id }) => id);
  const { rows: files } = await sql<{ id: string }>`
    delete from run_files where execution_id = any(${ids}::text[]) returning id`.execute(tx);
  // Logs have no foreign key. The shortest go now.
  await sql`
    with counted as (
      select id, sum(log_count) over (order by log_count, id) as lines from executions where id = any(${ids}::text[])
    ), later as (
      insert into removed_logs select id from counted where lines > ${sql.lit(linesAtOnce)}
    )
    delete from log_lines where execution_id in (select id from counted where lines <= ${sql.lit(linesAtOnce)})`.execute(
    tx,
  );
  await leaveTombstones(
    tx,
    rows
      .filter(({ kind }) => kind === "pipeline")
      .map((run) => {
        const ruleDays = roots.get(run.root_id) ?? null;
        return { id: run.id, audiences: ownerAudiences(run), ruleDays, at: null };
      }),
  );
  await sql`delete from executions where id = any(${ids}::text[])`.execute(tx);
  return { executions: ids.length, fileIds: files.map(({ id }) => id) };
}

/** Makes each turn that something else started the root of what is below it. */
async function detachTurns(tx: Tx, roots: readonly string[]): Promise<void> {
  await sql`
    with recursive below (id, root_id, depth) as (
      select e.id, e.id, e.depth from executions e
       where e.root_id = any(${roots}::text[]) and e.kind = 'turn' and e.parent_id is not null
      union all
      select e.id, below.root_id, below.depth from executions e join below on e.parent_id = below.id
       where e.kind <> 'turn'
    )
    update executions e
       set root_id = below.root_id, depth = e.depth - below.depth,
           parent_id = case when e.kind = 'turn' then null else e.parent_id end,
           parent_step = case when e.kind = 'turn' then null else e.parent_step end
      from below where e.id = below.id`.execute(tx);
}

/**
 * Deletes lines of logs whose runs are gone: the rest of one log at a time.
 * @returns more than 0 as long as there may be more of them
 */
export async function removeLogLines(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select execution_id as id from removed_logs order by execution_id limit 1 for update skip locked`.execute(
    tx,
  );
  const [log] = rows;
  if (log === undefined) return 0;
  const { numAffectedRows = 0n } = await sql`
    delete from log_lines where execution_id = ${log.id} and seq <= (
      select min(seq) + ${sql.lit(linesAtOnce - 1)} from log_lines where execution_id = ${log.id})`.execute(
    tx,
  );
  if (numAffectedRows === 0n)
    await tx.deleteFrom("removed_logs").where("execution_id", "=", log.id).execute();
  // One more look, as there may be another log.
  return Math.max(1, Number(numAffectedRows));
}
