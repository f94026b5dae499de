import { sql } from "kysely";
import type { JsonValue } from "../json.ts";
import { toJson } from "../store/json.ts";
import { logWrite } from "../store/log-rows.ts";
import type { Tx } from "../store/store.ts";
import { type ChildLimit, writeLimit } from "./execution-limits.ts";
import type { NewExecution } from "./kind.ts";
import { insertChild } from "./spawn.ts";

/** An execution that has steps before it begins. */
export interface Seeded {
  readonly execution: NewExecution;
  /** Steps that are done, taken over from an execution that has ended, by key. */
  readonly copied: { readonly from: string; readonly keys: readonly string[] };
  /** Further steps that are done. */
  readonly given: readonly { readonly key: string; readonly output: JsonValue }[];
  /** The first lines of its log, dated. */
  readonly log: readonly string[];
  /** What it has started already: the step `key` waits for it. */
  readonly child: {
    readonly key: string;
    readonly limit: ChildLimit | null;
    readonly seeded: Seeded;
  } | null;
}

/** Steps that were to be taken over are not there any more. */
export class StepsGone extends Error {
  override readonly name = "StepsGone";

  constructor(executionId: string) {
    super(`steps of ${executionId} are gone`);
  }
}

/**
 * Starts an execution that goes on from what others had done, with all that it waits for, in the caller's transaction.
 * @param start that of the transaction
 * @throws StepsGone
 */
export async function startSeeded(
  tx: Tx,
  start: (execution: NewExecution) => Promise<void>,
  seeded: Seeded,
): Promise<void> {
  const rootId = seeded.execution.id;
  await start(seeded.execution);
  let size = 1;
  let depth = 0;
  for (let at: Seeded | undefined = seeded; at !== undefined; at = at.child?.seeded) {
    await writeSteps(tx, at);
    if (at.child === null) break;
    const parent = { id: at.execution.id, rootId, depth };
    await insertChild(tx, parent, at.child.key, at.child.seeded.execution);
    await writeWaits(tx, at.execution.id, at.child);
    size++;
    depth++;
  }
  if (size > 1) await sql`update executions set tree_size = ${size} where id = ${rootId}`.execute(tx);
}

/** The epoch says that there is something to read: nobody who claims it takes it for a fresh one. */
async function writeSteps(tx: Tx, { execution, copied, given, log }: Seeded): Promise<void> {
  const { id } = execution;
  if (copied.keys.length > 0) {
    const { numAffectedRows = 0n } = await sql`
      insert into steps (execution_id, key, state, output, child_id, created_at, finished_at)
      select ${id}, key, state, output, child_id, created_at, finished_at from steps
       where execution_id = ${copied.from} and key = any(${copied.keys}::text[]) and state = 'done'`.execute(
      tx,
    );
    if (numAffectedRows !== BigInt(copied.keys.length)) throw new StepsGone(copied.from);
  }
  if (given.length > 0)
    await sql`
      insert into steps (execution_id, key, state, output, finished_at)
      select ${id}, key, 'done', coalesce(output, 'null'), now()
        from json_to_recordset(${toJson(given)}::json) as step (key text, output json)`.execute(tx);
  const { count, bytes, rows } = logWrite(log);
  await sql`
    update executions set epoch = 1, log_count = ${count}, log_bytes = ${bytes} where id = ${id}`.execute(tx);
  if (count > 0)
    await sql`
      insert into log_lines (execution_id, seq, text)
      select ${id}, line.last, line.text
        from json_to_recordset(${toJson(rows)}::json) as line (last integer, text text)`.execute(tx);
}

async function writeWaits(
  tx: Tx,
  id: string,
  { key, limit, seeded }: NonNullable<Seeded["child"]>,
): Promise<void> {
  await tx
    .insertInto("steps")
    .values({ execution_id: id, key, state: "waiting", child_id: seeded.execution.id })
    .execute();
  if (limit !== null) await writeLimit(tx, id, limit, seeded.execution.id);
}
