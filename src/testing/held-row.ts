import type { Store } from "../service/store/store.ts";
import { until } from "./until.ts";

/** How many on this database wait for what somebody else holds. */
export async function blockedQueries({ pool }: Pick<Store, "pool">): Promise<number> {
  const { rowCount } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}

/** Whether anybody on this database waits for what somebody else holds. */
export const hasBlockedQueries = async (store: Pick<Store, "pool">): Promise<boolean> =>
  (await blockedQueries(store)) !== 0;

/**
 * Lets something else happen to a row between the checks of a request and its write: the row is held until the request
 * waits for it, then changed.
 * @param change what follows `update … set`
 * @returns the answer to the request
 */
export async function changedMeanwhile<R>(
  { pool }: Pick<Store, "pool">,
  { table, id, change }: { readonly table: string; readonly id: string; readonly change: string },
  request: () => Promise<R>,
): Promise<R> {
  const other = await pool.connect();
  try {
    await other.query("begin");
    await other.query(`select from ${table} where id = $1 for update`, [id]);
    const answer = request();
    await until("the request waits for the row", () => hasBlockedQueries({ pool }));
    await other.query(`update ${table} set ${change} where id = $1`, [id]);
    await other.query("commit");
    return await answer;
  } finally {
    other.release();
  }
}
