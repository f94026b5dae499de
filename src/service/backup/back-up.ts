import type pg from "pg";
import type { FileStore } from "../files/file-store.ts";
import { inBatches } from "../files/sweep-files.ts";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import { BackupError } from "./backup-error.ts";
import { copyOut } from "./copy.ts";
import { quoted } from "./database.ts";
import { backupKey, type Totals } from "./format.ts";
import {
  anyAlive,
  beginSnapshot,
  countFiles,
  endSnapshot,
  namedFiles,
  noteFiles,
  savedMigrations,
  savedSequences,
  savedTables,
  unnamedFiles,
} from "./snapshot.ts";
import { createFrameWriter } from "./write-frames.ts";

/** How far a backup or a restore is. */
export interface Progress {
  readonly doing: "checking" | "rows" | "files" | "indexes";
  /** Bytes written or read so far. */
  readonly bytes: number;
  readonly done: number;
  readonly of: number;
}

export interface BackUpParts {
  /** For it alone, until it ends. */
  readonly client: pg.Client;
  readonly files: Pick<FileStore, "read" | "writtenBefore">;
  readonly secret: string;
  /** Puts the secret itself into the backup. */
  readonly withSecret: boolean;
  readonly version: string;
  /** Takes the backup's bytes in their order, as fast as it may. */
  put(bytes: Buffer): Promise<void>;
  onProgress(progress: Progress): void;
  readonly signal: AbortSignal;
}

/** What a backup came to. */
export interface BackedUp extends Totals {
  /** Of the file. */
  readonly written: number;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
  /** Some of the files that the database names and that were not there. */
  readonly missingIds: readonly string[];
}

/**
 * Writes one moment of a database that others use meanwhile, with the bytes of all files that it names. No file is removed
 * until the connection ends. Holds in memory some pieces of a quarter of a megabyte, and one row.
 * @throws BackupError; StoreError for a database of a newer release; the signal's reason
 */
export async function backUp(parts: BackUpParts): Promise<BackedUp> {
  const { client, files, secret, withSecret, version, put, onProgress, signal } = parts;
  const key = backupKey(secret);
  const writer = createFrameWriter(put);
  await beginSnapshot(client);
  const migrations = await savedMigrations(client);
  const made_at = new Date().toISOString();
  await writer.header({
    ...{ product: "wheelhouse" as const, version, made_at, migrations: [...migrations] },
    ...{ key_id: key.id, secret: withSecret ? secret : null },
  });
  const tables = await savedTables(client);
  const report = (doing: Progress["doing"], done: number, of: number) =>
    onProgress({ doing, bytes: writer.written, done, of });
  for (const [index, { name, columns }] of tables.entries()) {
    signal.throwIfAborted();
    const rows = copyOut(client, `copy ${quoted(name)} (${columns.map(quoted).join(", ")}) to stdout`);
    const told = watched(rows, () => report("rows", index, tables.length));
    await writer.part({ type: "table", name, columns: [...columns] }, told);
  }
  report("rows", tables.length, tables.length);
  const sequences = await savedSequences(client);
  await noteFiles(client);
  await endSnapshot(client);

  const expected = await countFiles(client);
  let saved = 0;
  let missing = 0;
  const missingIds: string[] = [];
  async function save(id: string, isNamed: boolean): Promise<void> {
    signal.throwIfAborted();
    const content = await openedFile(files, id);
    if (content !== null) {
      const told = watched(content, () => report("files", saved, Math.max(expected, saved)));
      await writer.part({ type: "file", id }, told);
      saved++;
    } else if (isNamed) {
      missing++;
      if (missingIds.length < 5) missingIds.push(id);
    }
    report("files", saved, Math.max(expected, saved));
  }
  for await (const id of namedFiles(client)) await save(id, true);
  if (await anyAlive(client)) {
    for await (const ids of inBatches(files.writtenBefore(new Date(8.64e15))))
      for (const id of await unnamedFiles(client, ids)) await save(id, false);
  }
  const totals: Totals = { tables: tables.length, files: saved, bytes: writer.bytes, missing, sequences };
  await writer.end(totals, key);
  return { ...totals, written: writer.written, migrations, missingIds };
}

async function* watched(content: AsyncIterable<Buffer>, onPiece: () => void): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    yield piece;
    onPiece();
  }
}

/** A file's bytes, once it is known that there are any. @returns null when there is no such file */
async function openedFile(files: Pick<FileStore, "read">, id: string): Promise<AsyncIterable<Buffer> | null> {
  const unreadable = (error: unknown) =>
    new BackupError("unreadable", `The file ${id} cannot be read (${sentenceOf(error)}).`, error);
  try {
    const stream = await files.read(id);
    if (stream === null) return null;
    const pieces = stream[Symbol.asyncIterator]();
    const first = await pieces.next();
    return (async function* () {
      try {
        for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
      } catch (error) {
        throw unreadable(error);
      } finally {
        stream.destroy();
      }
    })();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw unreadable(error);
  }
}
