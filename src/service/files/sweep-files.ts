import { sql } from "kysely";
import type { Logger } from "pino";
import type { Context } from "../context.ts";
import { createRecurring, type Recurring } from "../recurring.ts";
import type { Store } from "../store/store.ts";
import type { FileStore } from "./file-store.ts";

/** Nobody takes so long between writing bytes and the transaction that names them. In milliseconds. */
const gracePeriodMs = 86_400_000;
/** Milliseconds from one sweep to the next. */
const between = 6 * 3_600_000;
/** Ids asked for at a time. */
const batch = 500;
/** Stands for whoever wrote files of which this database knows none. */
const stranger = "unknown";

type Parts = Pick<Context, "files" | "store">;

/**
 * Writes down that this database's files lie here; to be called before the first is written.
 * @returns false where files of another database lie here as well, or may lie here: then none is ever swept
 */
export async function claimFiles({ files, store }: Parts): Promise<boolean> {
  const { id } = await store.db.selectFrom("installation").select("id").executeTakeFirstOrThrow();
  const before = await files.writers();
  // From before writers were noted, or of a database that is gone.
  if (before.length === 0 && !(await knowsSome(store, files))) await files.addWriter(stranger);
  await files.addWriter(id);
  return isAlone(await files.writers(), id);
}

const isAlone = (writers: readonly string[], id: string) => writers.length === 1 && writers[0] === id;

/** Also true where there are none. */
async function knowsSome(store: Store, files: FileStore): Promise<boolean> {
  let some = false;
  for await (const ids of inBatches(files.writtenBefore(new Date(8.64e15)))) {
    if ((await withoutOwner(store, ids)).length < ids.length) return true;
    some = true;
  }
  return !some;
}

/**
 * Removes bytes that no row names any more, or ever did. For after the transaction that says so: what cannot be removed
 * just now, the sweep removes later.
 */
export async function removeUnnamed(files: FileStore, ids: Iterable<string>): Promise<void> {
  await Promise.allSettled([...ids].map((id) => files.remove(id)));
}

/**
 * Removes bytes that nothing names, a day after they were written: what uploads and steps left whose process was killed
 * between the bytes and the transaction, or in the middle of the bytes. Bytes of an execution that is not over are left:
 * its next step may name them.
 * @returns how many files were removed; null where others write here too
 */
export async function sweepFiles({ files, store }: Parts, signal?: AbortSignal): Promise<number | null> {
  const { id } = await store.db.selectFrom("installation").select("id").executeTakeFirstOrThrow();
  if (!isAlone(await files.writers(), id) || !(await files.mayRemove())) return null;
  // By the clock that dated the files: the database's may be a day ahead of it, and what was just written then looks old.
  const then = new Date((await files.now()).getTime() - gracePeriodMs);
  let removed = await files.removeCutOff(then);
  for await (const ids of inBatches(files.writtenBefore(then))) {
    if (signal?.aborted) break;
    for (const forgotten of await withoutOwner(store, ids)) {
      await files.remove(forgotten);
      removed++;
    }
  }
  return removed;
}

/** The columns that name files. */
export const fileNames = [
  { table: "run_files", column: "id" },
  { table: "artifact_versions", column: "file_id" },
  { table: "knowledge_files", column: "content_id" },
] as const;

const unnamed = sql.join(
  fileNames.map(
    ({ table, column }) =>
      sql`not exists (select from ${sql.table(table)} named where named.${sql.ref(column)} = file.id)`,
  ),
  sql` and `,
);
const nameless = (some: readonly string[]) => sql`
    select id from unnest(${some}::text[]) as file (id) where ${unnamed}`;

/** Those of these files that no row names. For files of executions that are over: nobody is about to name them. */
export async function withoutName(
  { db }: Pick<Store, "db">,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`${nameless(ids)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of these files that no row names, and that no execution under way may name: its id stands in the ids of its files. */
export async function withoutOwner(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  const { db } = store;
  const few = await withoutName(store, ids);
  if (few.length === 0) return [];
  // Names once more, in the same moment as executions: one that ends just now has named its files.
  const forgotten = await sql<{ id: string }>`
    ${nameless(few)}
       and not exists (select from executions
                        where state in ('queued', 'running', 'waiting') and strpos(file.id, executions.id) > 0)`.execute(
    db,
  );
  return forgotten.rows.map(({ id }) => id);
}

/** The same ids, five hundred at a time. */
export async function* inBatches(ids: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let held: string[] = [];
  for await (const id of ids) {
    held.push(id);
    if (held.length < batch) continue;
    yield held;
    held = [];
  }
  if (held.length > 0) yield held;
}

/**
 * Sweeps at once and then now and then, until it is stopped.
 * @param purge removes what was deleted long ago, before each sweep
 */
export function createFileSweeper(
  parts: Parts & { readonly log: Logger },
  purge: (signal: AbortSignal) => Promise<number> = async () => 0,
): Recurring {
  const { log } = parts;
  const sweep = async (signal: AbortSignal) => {
    const purged = await purge(signal);
    if (purged > 0) log.info({ purged }, "removed for good what was deleted");
    if (signal.aborted) return;
    const removed = await sweepFiles(parts, signal);
    if (removed === null)
      log.warn("none is swept: files of another database lie in the same folder, or a backup is being made");
    else if (removed > 0) log.info({ removed }, "removed files that nothing names");
  };
  return createRecurring(sweep, between, (err) => log.warn({ err }, "files could not be swept"));
}
