import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Meters } from "../meters.ts";
import { inSavepoint } from "../store/lock.ts";
import { logWrite } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { isDatabaseUnavailable } from "../store/store-error.ts";
import { writeAttached } from "./attached-rows.ts";
import type { Claim } from "./claim.ts";
import {
  abandonedQuestions,
  abandonedSteps,
  type Ended,
  type ExecutionEnd,
  endExecutions,
} from "./end-executions.ts";
import { Fenced } from "./engine-error.ts";
import type { End, Execution, Kind } from "./kind.ts";
import { countLines, lastLine } from "./log-writes.ts";
import { type ExecutionRow, toExecution } from "./rows.ts";
import { notifyWorkers } from "./signals.ts";
import { endWaitingStep, type StepEnd } from "./wake.ts";

/** Kinds by name: what they write at an end is written with it. */
export type Kinds = Readonly<Record<string, Kind>>;

/** What a kill did. */
export interface Killed {
  /** False when it was over already, or never was: nothing has changed. */
  readonly killed: boolean;
  /** Everything that was terminated by this, the execution itself first. */
  readonly ids: readonly string[];
  /** Whose places below the limit are free now. */
  readonly limitKeys: readonly string[];
}

/** What kills executions. */
interface Killing {
  readonly db: Kysely<Database>;
  readonly kinds: Kinds;
  readonly log: Logger;
  readonly meters?: Meters | undefined;
}

/** What ends executions. */
interface Ending extends Killing {
  /**
   * Ends one of that kind whose end touches no other execution, with others of the same moment.
   * @returns whether it was still ours
   */
  endAlone(kind: string, end: ExecutionEnd): Promise<boolean>;
}

/*
 * Rows of one tree are always locked from the top downwards, so that nothing here waits for each other for ever:
 * the end of a child locks its parent before itself, a kill locks the top, then everything that it ends by depth.
 */

/**
 * Ends an execution that this worker has, what is left below it, and the step of its parent that waits for it.
 * @param rows of steps that need no record any more
 * @param hasChildren whether it ever started one
 * @param force also where its kind cannot write what belongs to the end; else that is thrown, and it has not ended
 * @throws Fenced
 */
export async function end(
  { db, kinds, log, meters, endAlone }: Ending,
  execution: Execution,
  claim: Claim,
  outcome: Ended,
  {
    rows,
    killLine,
    hasChildren,
    force,
  }: Pick<ExecutionEnd, "rows"> & {
    readonly killLine: string;
    readonly hasChildren: boolean;
    readonly force: boolean;
  },
): Promise<void> {
  const kind = kinds[execution.kind];
  const ending = { claim, outcome, rows: force ? rows : [...rows, ...rowsOfEnd(kind, execution, outcome)] };
  const isAlone = !hasChildren && execution.parentId === null;
  if (isAlone && (writesNothing(kind) || (!force && mayEndTogether(kind)))) {
    if (!(await endAlone(execution.kind, ending))) throw new Fenced(execution.id);
    return;
  }
  const below = await db.transaction().execute(async (tx) => {
    const left = hasChildren ? await livingChildren(tx, execution.id) : [];
    if (left.length > 0) await lockTop(tx, execution.rootId);
    if (execution.parentId !== null) await lockRow(tx, execution.parentId);
    const [row] = await endExecutions(tx, [ending]);
    if (row === undefined) throw new Fenced(execution.id);
    const killed: ExecutionRow[] = [];
    for (const child of left) killed.push(...(await terminateTree(tx, { kinds, log }, child, killLine)));
    if (row.parent_id !== null && row.parent_step !== null) {
      await endWaitingStep(tx, row.parent_id, row.parent_step, stepEnd(row.id, outcome));
    }
    if (force) await notifyKindForced(tx, { kinds, log }, row, outcome);
    else await kind?.ended?.(tx, toExecution(row), outcome);
    return killed;
  });
  meters?.ended(execution.kind, outcome.type);
  for (const row of below) meters?.ended(row.kind, "terminated");
}

const writesNothing = (kind: Kind | undefined) => kind?.rowsOfEnd === undefined && kind?.ended === undefined;
const mayEndTogether = (kind: Kind | undefined) => kind?.ended === undefined || kind.endsApart !== undefined;
const rowsOfEnd = (kind: Kind | undefined, execution: Execution, how: End) =>
  kind?.rowsOfEnd?.(execution, how) ?? [];

/**
 * Terminates an execution and everything below it at every depth, and fails the step of its parent that waits for it.
 * Of a kill and an end at the same time exactly one happens.
 * @param line goes to the log of each one that is terminated
 * @param reason a sentence for the kinds, of whoever kills it
 */
export async function kill(
  { db, kinds, log, meters }: Killing,
  id: string,
  line: string,
  reason?: string,
  within?: (tx: Tx) => Promise<void>,
): Promise<Killed> {
  const terminated = await db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom("executions")
      .select(["root_id", "parent_id", "parent_step"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (found === undefined) return [];
    await lockTop(tx, found.root_id);
    if (found.parent_id !== null) await lockRow(tx, found.parent_id);
    const rows = await terminateTree(tx, { kinds, log }, id, line, reason);
    if (rows.length > 0 && found.parent_id !== null && found.parent_step !== null) {
      await endWaitingStep(tx, found.parent_id, found.parent_step, stepEnd(id, { type: "terminated" }));
    }
    if (rows.length > 0) await within?.(tx);
    return rows;
  });
  for (const row of terminated) meters?.ended(row.kind, "terminated");
  return {
    killed: terminated.length > 0,
    ids: terminated.map((row) => row.id),
    limitKeys: [...new Set(terminated.map((row) => row.limit_key))],
  };
}

/** Terminates what is not over yet in the tree below and including `id`. The top must be locked. */
async function terminateTree(
  tx: Tx,
  by: Omit<Killing, "db">,
  id: string,
  line: string,
  reason?: string,
): Promise<ExecutionRow[]> {
  const tree = sql`
    with recursive tree as (
      select id, depth from executions where id = ${id}
      union all
      select child.id, child.depth from executions child join tree on child.parent_id = tree.id
    )`;
  const log = logWrite([line]);
  await sql`
    select id from executions where id in (${tree} select id from tree) and finished_at is null
     order by depth, id for no key update
  `.execute(tx);
  // The next statement sees what was committed while we waited for the locks.
  const { rows } = await sql<ExecutionRow>`
    with counted as (
      update executions
         set state = 'terminated', owner = null, lease = null, held_at = null,
             finished_at = greatest(now(), created_at), revision = revision + 1, ${countLines(log)}
       where id in (${tree} select id from tree) and finished_at is null returning *
    ), ${lineInOrder(line)}, ${abandonedSteps}, ${abandonedQuestions}
    select counted.*, ${notifyWorkers("over", sql`counted.id`)} as told from counted order by depth, id
  `.execute(tx);
  for (const row of rows) await notifyKindForced(tx, by, row, { type: "terminated", reason });
  return rows;
}

/** A CTE that writes the line to each row of `counted`, dated as the last one there where that is later. */
const lineInOrder = (line: string) => sql`written as (
      insert into log_lines (execution_id, seq, text)
      select counted.id, counted.log_count,
             case when last.stamp ~ '^[0-9]{4}-.*Z$' and last.stamp collate "C" > left(${line}::text, 24)
                  then last.stamp || substr(${line}::text, 25) else ${line}::text end
        from counted left join lateral (${lastLine(sql`counted.id`)}) last (stamp) on true
    )`;

/** Has its kind write what belongs to the end. Where that cannot be written the end holds without it, and the log says so. */
async function notifyKindForced(
  tx: Tx,
  { kinds, log }: Omit<Killing, "db">,
  row: ExecutionRow,
  how: End,
): Promise<void> {
  const kind = kinds[row.kind];
  if (writesNothing(kind)) return;
  const execution = toExecution(row);
  try {
    await inSavepoint(tx, async () => {
      await writeAttached(tx, row.id, rowsOfEnd(kind, execution, how));
      await kind?.ended?.(tx, execution, how);
    });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error(
      { execution: row.id, kind: row.kind, err: error },
      `an execution is ${how.type} without what belongs to its end: it could not be written`,
    );
  }
}

async function livingChildren(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom("executions")
    .select("id")
    .where("parent_id", "=", id)
    .where("finished_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.id);
}

/** Nobody can start a child in this tree from here on until we commit: starting one writes to the top's row. */
async function lockTop(tx: Tx, rootId: string): Promise<void> {
  await lockRow(tx, rootId);
}

async function lockRow(tx: Tx, id: string): Promise<void> {
  await sql`select from executions where id = ${id} for no key update`.execute(tx);
}

function stepEnd(childId: string, how: End): StepEnd {
  if (how.type === "done") return { state: "done", output: how.result };
  const reason = how.type === "failed" ? `failed: ${how.error}` : "was killed";
  return { state: "failed", error: `the sub-run ${childId} ${reason}` };
}
