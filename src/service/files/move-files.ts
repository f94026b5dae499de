import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import type { FileStore } from "./file-store.ts";
import { FilesError } from "./files-error.ts";
import { fileNames, withoutName } from "./sweep-files.ts";

/** So many files are copied at a time. */
const atATime = 4;
/** Names that are read at a time. */
const page = 500;
/** Ids that are told. */
const told = 5;

export interface MoveParts {
  readonly store: Store;
  readonly from: FileStore;
  readonly to: FileStore;
  /** Reads and compares also what is there already. */
  readonly verify: boolean;
  /** Called before bytes are moved; resolves when they may be. */
  throttle(bytes: number): Promise<void>;
  onProgress(progress: { readonly done: number; readonly of: number; readonly bytes: number }): void;
  readonly signal: AbortSignal;
}

/** What a move came to. */
export interface Moved {
  /** Files, and their bytes. */
  readonly copied: number;
  readonly bytes: number;
  /** Files that were there already. */
  readonly there: number;
  /** Ids of some that the database names and that can be read in neither place, and how many they are. */
  readonly missing: Some;
  /** The same of those that are not alike in both, although both can be read. */
  readonly different: Some;
}

export interface Some {
  readonly count: number;
  readonly ids: readonly string[];
}

/**
 * Copies the files that the database names, beside services that go on writing: each is there whole or not at all, and what
 * is there is not copied again, so that it may be cut off anywhere and begun anew. Nothing is removed.
 * @throws FilesError; the system's error; the signal's reason
 */
export async function moveFiles(parts: MoveParts): Promise<Moved> {
  const { store, signal } = parts;
  const of = await countNamed(store);
  const missing = some();
  const different = some();
  let [copied, copiedBytes, there, done] = [0, 0, 0, 0];
  /** With what was only compared. */
  let bytes = 0;
  const report = () => parts.onProgress({ done, of: Math.max(of, done), bytes });
  async function moveOne(named: NamedFile): Promise<void> {
    signal.throwIfAborted();
    const outcome = await moveFile(parts, named, (length) => {
      bytes += length;
      report();
    });
    if (outcome === "copied") {
      copied++;
      copiedBytes += named.size;
    } else if (outcome === "there") there++;
    else if (outcome === "different") different.add(named.id);
    // It may have been removed since its name was read.
    else if ((await withoutName(store, [named.id])).length === 0) missing.add(named.id);
    done++;
    report();
  }
  for await (const batch of namedFiles(store)) {
    const left = batch[Symbol.iterator]();
    const workers = Array.from({ length: atATime }, async () => {
      for (const named of left) await moveOne(named);
    });
    // Not before all have ended: what still writes must not outlive this.
    const failed = (await Promise.allSettled(workers)).find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
  return { copied, bytes: copiedBytes, there, missing, different };
}

interface NamedFile {
  readonly id: string;
  readonly size: number;
}

async function moveFile(
  { from, to, verify, throttle, signal }: MoveParts,
  { id, size }: NamedFile,
  onBytes: (length: number) => void,
): Promise<"copied" | "there" | "missing" | "different"> {
  const isThere = (await to.size(id)) === size;
  if (isThere && !verify) return "there";
  async function* moved(source: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      signal.throwIfAborted();
      await throttle(chunk.length);
      onBytes(chunk.length);
      yield chunk;
    }
  }
  const read = async (files: FileStore) => {
    const source = await files.read(id);
    if (source === null) return null;
    const hash = createHash("sha256");
    for await (const chunk of moved(source)) hash.update(chunk);
    return hash.digest("hex");
  };
  if (isThere) {
    const mine = await unlessDamaged(read(to));
    const theirs = mine === null ? null : await unlessDamaged(read(from));
    if (mine !== null) return theirs === null || theirs === mine ? "there" : "different";
  }
  const source = await from.read(id);
  if (source === null) return "missing";
  const written = await unlessDamaged(to.write(id, Readable.from(moved(source), { objectMode: false })));
  return written === null ? "missing" : "copied";
}

/** @returns null for bytes that are not what was written */
async function unlessDamaged<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FilesError && error.kind === "damaged") return null;
    throw error;
  }
}

function some() {
  const ids: string[] = [];
  return {
    count: 0,
    ids,
    add(id: string) {
      this.count++;
      if (ids.length < told) ids.push(id);
    },
  };
}

async function countNamed({ db }: Store): Promise<number> {
  const counts = fileNames.map(({ table }) => sql`(select count(*) from ${sql.table(table)})`);
  const { rows } = await sql<{
    count: string;
  }>`select (${sql.join(counts, sql` + `)})::text as count`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** The files that rows name, a page at a time, in the order of their ids. */
async function* namedFiles({ db }: Store): AsyncGenerator<readonly NamedFile[]> {
  for (const { table, column } of fileNames) {
    for (let after = ""; ; ) {
      const { rows } = await sql<NamedFile>`
        select ${sql.ref(column)} as id, size::double precision as size from ${sql.table(table)}
         where ${sql.ref(column)} > ${after} order by 1 limit ${sql.lit(page)}`.execute(db);
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
  }
}

/**
 * Makes a place this database's own, so that no other one sweeps there what moves into it.
 * @returns what speaks against it, as a sentence without the full stop; null: nothing
 */
export async function refusalOfPlace(to: FileStore, store: Store): Promise<string | null> {
  const { id } = await store.db.selectFrom("installation").select("id").executeTakeFirstOrThrow();
  const writers = await to.writers();
  if (writers.some((name) => name !== id)) return "files of another database lie there";
  if (writers.length > 0) return null;
  const [name] = await to.contents();
  if (name !== undefined) return `it is not empty (${name})`;
  await to.addWriter(id);
  return null;
}
