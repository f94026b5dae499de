import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { heldTrees } from "./held.ts";
import { removeTrees } from "./remove-trees.ts";
import { daysOf, goesBefore, type RetentionRules } from "./rules.ts";
import { type Batch, nextEnded, positionAfter, type WalkPosition } from "./walk.ts";

/** Ended executions looked at in one transaction, and executions that it deletes, unless one run alone has more. */
const looked = 250;

/** A run that nothing started and that is older than its kind and team want, as a condition on `executions e`. */
export function isOldRun({ runs, failed_runs }: RetentionRules): RawBuilder<boolean> {
  return sql<boolean>`(e.kind = 'pipeline' and e.parent_id is null and e.finished_at <
    case e.state when 'failed' then ${goesBefore(failed_runs, "e.team_id")} else ${goesBefore(runs, "e.team_id")} end)`;
}

/** Deletes the next runs that are too old, with their sub-runs. */
export async function removeRuns(
  tx: Tx,
  rules: RetentionRules,
  after: WalkPosition | null,
): Promise<Batch<WalkPosition>> {
  const ended = await nextEnded(tx, rules, ["runs", "failed_runs"], after, looked);
  let size = 0;
  const within = ended.filter(({ kind, tree_size }, index) => {
    size += kind === "pipeline" ? tree_size : 0;
    return index === 0 || size <= looked;
  });
  const ids = within.map(({ id }) => id);
  const { rows } = await sql<{ id: string; state: string; team_id: string | null }>`
    select e.id, e.state, e.team_id from executions e where e.id = any(${ids}::text[]) and ${isOldRun(rules)}
     for update skip locked`.execute(tx);
  const locked = rows.map(({ id }) => id);
  // Only now: whoever marked one of them before, or started something below it, has been waited for.
  const { rows: free } = await sql<{ id: string }>`
    select id from unnest(${locked}::text[]) run (id) where id not in (${heldTrees(locked)})`.execute(tx);
  const goes = new Set(free.map(({ id }) => id));
  const roots = new Map(
    rows
      .filter(({ id }) => goes.has(id))
      .map((run) => {
        const rule = run.state === "failed" ? rules.failed_runs : rules.runs;
        return [run.id, daysOf(rule, run.team_id)];
      }),
  );
  const next = positionAfter(within, within.length < ended.length ? within.length : looked);
  if (roots.size === 0) return { removed: 0, fileIds: [], next };
  const { fileIds } = await removeTrees(tx, roots);
  return { removed: roots.size, fileIds, next };
}
