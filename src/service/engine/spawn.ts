import { type Kysely, sql } from "kysely";
import { toJson } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { Fenced, LimitError, limits } from "./engine-error.ts";
import { writeLimit } from "./execution-limits.ts";
import type { Execution, NewExecution, StepOptions } from "./kind.ts";
import { recordSteps, type StepWrite } from "./record-steps.ts";
import { notifyReady } from "./signals.ts";

/**
 * Starts a child and records the step that waits for it, the last of `write`, in one transaction.
 * The row at the top of the tree is locked first: a kill locks it too, so it sees the child or the child sees the kill.
 * @returns false when the step is recorded already
 * @throws Fenced, LimitError
 */
export async function spawn(
  db: Kysely<Database>,
  parent: Execution,
  write: StepWrite,
  stepKey: string,
  child: NewExecution,
  { within, limit }: Pick<StepOptions, "within" | "limit">,
): Promise<boolean> {
  if (parent.depth >= limits.depth) throw new LimitError("depth");
  return db.transaction().execute(async (tx) => {
    await growTree(tx, parent);
    if (!(await recordSteps(tx, write))) return false;
    await insertChild(tx, parent, stepKey, child);
    if (limit !== undefined) await writeLimit(tx, parent.id, limit, child.id);
    await within?.(tx);
    return true;
  });
}

async function growTree(tx: Tx, { id, rootId }: Execution): Promise<void> {
  const grown = await sql<{ tree_size: number }>`
    update executions set tree_size = tree_size + 1 where id = ${rootId} and finished_at is null returning tree_size
  `.execute(tx);
  const size = grown.rows[0]?.tree_size;
  if (size === undefined) throw new Fenced(id);
  if (size > limits.tree) throw new LimitError("tree");
}

/** Inserts a child of which a step waits already, or will in this transaction. */
export async function insertChild(
  tx: Tx,
  parent: Pick<Execution, "id" | "rootId" | "depth">,
  step: string,
  child: NewExecution,
): Promise<void> {
  const { id, kind, subjectId, userId, teamId, input } = child;
  await sql`
    with made as (
      insert into executions (id, kind, root_id, parent_id, parent_step, depth, subject_id, user_id, team_id, input)
      values (${id}, ${kind}, ${parent.rootId}, ${parent.id}, ${step}, ${parent.depth + 1}, ${subjectId}, ${userId}, ${teamId}, ${toJson(input)})
      returning limit_key, user_id
    )
    select ${notifyReady} from made
  `.execute(tx);
}
