import { type Kysely, sql } from "kysely";
import type { RowsOfStep } from "../service/engine/record-steps.ts";
import type { Database } from "../service/store/schema.ts";

/** Writes the rows of a step as the statement does that records it. */
export async function writeRows(
  db: Kysely<Database>,
  executionId: string,
  rows: readonly RowsOfStep[],
): Promise<void> {
  const written = rows.map(({ write, row }) => write([{ execution_id: executionId, ...row }]));
  const recorded = sql`recorded as (select ${executionId}::text as execution_id)`;
  await sql`with ${sql.join([recorded, ...written])} select from recorded`.execute(db);
}
