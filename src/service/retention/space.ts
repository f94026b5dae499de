import pg from "pg";
import { closeClient } from "../store/query-timeout.ts";
import type { Store } from "../store/store.ts";

/** What retention deletes from. */
const tables = [
  "log_lines",
  "executions",
  "steps",
  "message_parts",
  "messages",
  "search_runs",
  "search_messages",
  "evaluation_results",
  "interactions",
  "run_files",
] as const;

/** How large one table is with its indexes, in bytes. */
export interface TableSize {
  readonly table: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Lets new rows have the room of deleted ones, and gives the end of each table back to the disk where nothing is left in
 * it. Nobody waits for it for more than a moment.
 * @returns the sizes of those tables that it came to before the signal
 */
export async function freeSpace(
  store: Pick<Store, "connection">,
  signal: AbortSignal,
): Promise<readonly TableSize[]> {
  const gently = "set vacuum_cost_delay = '2ms'";
  return await eachTable(store, signal, gently, (table) => `vacuum (analyze) ${table}`);
}

/**
 * Writes each table anew without its holes. While one is written, whoever reads or writes it waits; as long as somebody
 * else holds it for more than ten seconds, it is not begun.
 * @throws the database's error where a table cannot be had
 */
export async function compactTables(
  store: Pick<Store, "connection">,
  signal: AbortSignal,
): Promise<readonly TableSize[]> {
  const briefly = "set lock_timeout = '10s'";
  return await eachTable(store, signal, briefly, (table) => `vacuum (full, analyze) ${table}`);
}

async function eachTable(
  { connection }: Pick<Store, "connection">,
  signal: AbortSignal,
  setting: string,
  statement: (table: string) => string,
): Promise<readonly TableSize[]> {
  // A connection of its own: nothing here is done in the time that others have for a query.
  const client = new pg.Client({ ...connection, query_timeout: 0 });
  client.on("error", () => undefined);
  await client.connect();
  const cut = () => void closeClient(client);
  signal.addEventListener("abort", cut);
  const sizes: TableSize[] = [];
  try {
    await client.query(setting);
    for (const table of tables) {
      const before = await sizeOf(client, table);
      await client.query(statement(table));
      sizes.push({ table, before, after: await sizeOf(client, table) });
    }
    return sizes;
  } catch (error) {
    if (!signal.aborted) throw error;
    return sizes;
  } finally {
    signal.removeEventListener("abort", cut);
    await client.end();
  }
}

async function sizeOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query("select pg_total_relation_size($1)::float8 as bytes", [table]);
  return Number(rows[0]?.bytes ?? 0);
}
