import type { Kysely } from "kysely";
import { linesOf } from "../store/log-rows.ts";
import type { Database } from "../store/schema.ts";
import { inTrees } from "../store/trees.ts";
import type { Execution, Step } from "./kind.ts";
import { toExecution, toStep } from "./rows.ts";

/** @returns the execution, or undefined where there is none with this id */
export async function readExecution(db: Kysely<Database>, id: string): Promise<Execution | undefined> {
  const row = await db.selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toExecution(row);
}

/** @returns the log lines in order, from the one after number `after` (the first is 1), at most `limit` */
export async function readLog(
  db: Kysely<Database>,
  id: string,
  { after = 0, limit }: { after?: number; limit?: number } = {},
): Promise<string[]> {
  let query = db
    .selectFrom("log_lines")
    .select(["seq", "text"])
    .where("execution_id", "=", id)
    .orderBy("seq");
  if (after > 0) query = query.where("seq", ">", after);
  // A row has a line at least.
  if (limit !== undefined) query = query.limit(limit);
  const lines = (await query.execute()).flatMap(linesOf).filter(({ seq }) => seq > after);
  return lines.slice(0, limit).map(({ text }) => text);
}

/** @returns the recorded steps, oldest first */
export async function readSteps(db: Kysely<Database>, id: string): Promise<Step[]> {
  const rows = await db
    .selectFrom("steps")
    .selectAll()
    .where("execution_id", "=", id)
    .orderBy("created_at")
    .orderBy("key")
    .execute();
  return rows.map(toStep);
}

/** @returns what this execution started itself, oldest first */
export async function listChildren(db: Kysely<Database>, id: string): Promise<Execution[]> {
  const rows = await db
    .selectFrom("executions")
    .selectAll()
    .where("parent_id", "=", id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toExecution);
}

/** @returns the execution at the top and everything below it, top first */
export async function listTree(db: Kysely<Database>, rootId: string): Promise<Execution[]> {
  const rows = await db
    .selectFrom("executions")
    .selectAll()
    .where(inTrees("executions", [rootId]))
    .orderBy("depth")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toExecution);
}
