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
  "search_blocks",
  "search_pending",
  "search_deleted",
  "evaluation_results",
  "interactions",
  "run_files",
  "tombstones",
] as const;

/** How large one table is with its indexes, in bytes. */
export interface TableSize {
  readonly table: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Lets new rows have the room of deleted ones. Where as much went as is left, the indexes are built anew beside the old
 * ones, and what those took goes back to the disk. Nobody waits for it for more than a moment.
 * @param removed how many things went since the last time
 * @returns the sizes of those tables that it came to before the signal
 */
export async function freeSpace(
  store: Pick<Store, "connection">,
  signal: AbortSignal,
  removed: number,
): Promise<readonly TableSize[]> {
  const gently = "set vacuum_cost_delay = '2ms'";
  return await eachTable(store, signal, gently, async (client, table) => {
    await client.query(`vacuum (analyze) ${table}`);
    if (removed >= (await rowsOf(client, table))) await rebuildIndexes(client, table);
  });
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
  return await eachTable(store, signal, briefly, (client, table) =>
    client.query(`vacuum (full, analyze) ${table}`),
  );
}

async function eachTable(
  { connection }: Pick<Store, "connection">,
  signal: AbortSignal,
  setting: string,
  work: (client: pg.Client, table: string) => Promise<unknown>,
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
      if (signal.aborted) break;
      const before = await sizeOf(client, table);
      await work(client, table);
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

/** Those that one which was cut off has left half built go first. */
async function rebuildIndexes(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
      where indrelid = $1::regclass and not indisvalid and indexrelid::regclass::text like '%\\_cc%'`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`);
  await client.query(`reindex table concurrently ${table}`);
}

/** About, as of the last analysis. */
async function rowsOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query(
    "select reltuples::float8 as count from pg_class where oid = $1::regclass",
    [table],
  );
  return Number(rows[0]?.count ?? 0);
}

async function sizeOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query("select pg_total_relation_size($1)::float8 as bytes", [table]);
  return Number(rows[0]?.bytes ?? 0);
}
