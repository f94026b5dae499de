import { type Kysely, type RawBuilder, sql } from "kysely";
import type { JsonValue } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import type { Claim } from "./claim.ts";

/** A row that is written in the statement that records a step or an end of an execution, or not at all. */
export interface AttachedRow {
  /**
   * Common table expressions that write those of many steps or ends; the same function for all that may go together. Each row
   * has the `execution_id` of its step or end, and counts where that is in `recorded`. No name of one is that of another
   * writer's, nor of the statement's own.
   */
  readonly write: (rows: readonly JsonValue[]) => RawBuilder<unknown>;
  readonly row: RowValues;
  /** One row for two of an execution that are written in the same statement; without it each has its own. */
  readonly join?: ((earlier: RowValues, later: RowValues) => RowValues) | undefined;
}

export interface RowValues {
  readonly [key: string]: JsonValue;
}

/**
 * CTEs after others for the rows of steps or ends, by what writes them; nothing where there are none.
 * @param recorded a query for the `execution_id`s whose rows count
 */
export function attachedRows(
  writes: readonly { readonly claim: Pick<Claim, "id">; readonly rows: readonly AttachedRow[] }[],
  recorded: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const byWriter = new Map<AttachedRow["write"], RowValues[]>();
  for (const { claim, rows } of writes)
    for (const { write, row } of joined(rows)) {
      const together = byWriter.get(write) ?? [];
      together.push({ execution_id: claim.id, ...row });
      byWriter.set(write, together);
    }
  if (byWriter.size === 0) return sql``;
  const written = sql.join([...byWriter].map(([write, rows]) => write(rows)));
  return sql`, recorded as (${recorded}), ${written}`;
}

/** Writes rows of a step or an end that is recorded already; none where there are none. */
export async function writeAttached(
  db: Kysely<Database>,
  executionId: string,
  rows: readonly AttachedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const written = attachedRows(
    [{ claim: { id: executionId }, rows }],
    sql`select ${executionId}::text as execution_id`,
  );
  await sql`with first as (select)${written} select from first`.execute(db);
}

function joined(rows: readonly AttachedRow[]): readonly AttachedRow[] {
  const all: AttachedRow[] = [];
  for (const later of rows) {
    const at = later.join === undefined ? -1 : all.findIndex((earlier) => earlier.write === later.write);
    const earlier = all[at];
    if (earlier === undefined || later.join === undefined) all.push(later);
    else all[at] = { ...later, row: later.join(earlier.row, later.row) };
  }
  return all;
}
