import type { Kysely } from "kysely";
import type { Execution, Step } from "../service/engine/kind.ts";
import { toExecution, toStep } from "../service/engine/rows.ts";
import { linesOf } from "../service/store/log-rows.ts";
import type { Database } from "../service/store/schema.ts";
import { inTrees } from "../service/store/trees.ts";

/** @returns the log lines in order */
export async function readLog(db: Kysely<Database>, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("log_lines")
    .select(["seq", "text"])
    .where("execution_id", "=", id)
    .orderBy("seq")
    .execute();
  return rows.flatMap(linesOf).map(({ text }) => text);
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
