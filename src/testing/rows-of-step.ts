import { type Kysely, sql } from "kysely";
import { type RowsOfStep, writtenRows } from "../service/engine/record-steps.ts";
import type { Database } from "../service/store/schema.ts";

/** Writes the rows of steps as the statement does that records them. */
export async function writeRows(
  db: Kysely<Database>,
  executionId: string,
  rows: readonly RowsOfStep[],
): Promise<void> {
  const claim = { id: executionId, epoch: 1 };
  const written = writtenRows([{ claim, rows }], sql`select ${executionId}::text as execution_id`);
  await sql`with first as (select)${written} select from first`.execute(db);
}
