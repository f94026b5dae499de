import type { Kysely } from "kysely";
import type { Database } from "../store/schema.ts";
import type { Execution } from "./kind.ts";
import { toExecution } from "./rows.ts";

/** @returns the execution, or undefined where there is none with this id */
export async function readExecution(db: Kysely<Database>, id: string): Promise<Execution | undefined> {
  const row = await db.selectFrom("executions").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toExecution(row);
}
