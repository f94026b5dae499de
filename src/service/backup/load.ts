import { Readable } from "node:stream";
import type pg from "pg";
import { type FileStore, isFileId } from "../files/file-store.ts";
import { applyOne } from "../store/migrate.ts";
import { migrations } from "../store/migrations/index.ts";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import type { Progress } from "./back-up.ts";
import { BackupError } from "./backup-error.ts";
import { bareSchema } from "./bare-schema.ts";
import { copyIn } from "./copy.ts";
import { quoted } from "./database.ts";
import type { Part } from "./format.ts";
import type { CheckedBackup, OpenedBackup } from "./open-backup.ts";
import { altered, type Piece, readFrames, unpack } from "./read-frames.ts";

interface LoadParts {
  /** Of an empty database, in which nothing of ours is there but what Graphile Worker has. */
  readonly client: pg.Client;
  readonly files: Pick<FileStore, "write">;
  readonly backup: OpenedBackup;
  readonly checked: CheckedBackup;
  /** Of the audit log, which says that this was done. */
  readonly auditEntry: string;
  onProgress(progress: Progress): void;
  readonly signal: AbortSignal;
}

const doubt =
  "The database was lost at the very end, and does not say whether it has all of the backup: its files were kept. Where it has tables it is restored, and paused; where it has none, empty the place of the files and restore once more.";

/** What a restored database waits for. */
const reason = "it was restored from a backup, and the installation that this is of may go on elsewhere";

/**
 * Puts a backup into an empty database, in one transaction: all of it or nothing. The schema is first that of the backup,
 * then brought up to date. What was running is ready to be taken up, and all of it is paused.
 * @throws BackupError `altered` where the file changed since it was checked; `in_doubt` with its cause; the signal's reason
 */
export async function load({
  client,
  files,
  backup,
  checked: { totals, mac },
  auditEntry,
  onProgress,
  signal,
}: LoadParts): Promise<void> {
  await client.query("begin");
  const names = new Set(backup.header.migrations);
  const { tables, complete } = await bareSchema(client, names);
  const pieces = readFrames(backup.file, (bytes) => bytesRead(bytes));
  let bytesRead: (bytes: number) => void = () => {};
  let done = { tables: 0, files: 0 };
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (piece.type === "end" && piece.mac !== mac) throw altered("its end, since it was looked at,");
    if (piece.type !== "part") continue;
    const { part } = piece;
    bytesRead = (bytes) =>
      onProgress(
        part.type === "table"
          ? { doing: "rows", bytes, done: done.tables, of: totals.tables }
          : { doing: "files", bytes, done: done.files, of: totals.files },
      );
    const content = contentOf(pieces, signal);
    if (part.type === "file") {
      await writeFile(files, part.id, content);
      done = { ...done, files: done.files + 1 };
    } else {
      if (tables.has(part.name)) await loadTable(client, part, content);
      // Of somebody else's, in the same schema: there is nothing here that it would belong to.
      else for await (const _ of content);
      done = { ...done, tables: done.tables + 1 };
    }
  }
  onProgress({ doing: "indexes", bytes: backup.size, done: 0, of: 1 });
  await complete(totals.sequences);
  for (const migration of migrations) if (!names.has(migration.name)) await applyOne(client, migration);
  await client.query(settle);
  await client.query("insert into pause (reason) values ($1)", [reason]);
  await client.query("insert into audit_pending (entry) values ($1::json)", [auditEntry]);
  signal.throwIfAborted();
  await client.query("commit").catch((error: unknown) => {
    throw new BackupError("in_doubt", doubt, error);
  });
  // All is there: where this fails, the server does it by itself in a while.
  await client.query("analyze").catch(() => undefined);
}

/**
 * What was running is nobody's here, and may be taken up at once; that is no fault of its own. A transaction of the other
 * server that has the number of one of this must not count as having raised the generation.
 */
const settle = `
update executions set state = 'queued', owner = null, lease = null, queued_at = now() where state = 'running';
update generation set number = number + 1, changed_by = null;`;

async function loadTable(
  client: pg.Client,
  { name, columns }: Extract<Part, { type: "table" }>,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await copyIn(client, `copy ${quoted(name)} (${columns.map(quoted).join(", ")}) from stdin`, content);
  } catch (error) {
    // Class 22: data that the table does not take.
    if (codeOf(error)?.startsWith("22") !== true) throw error;
    throw new BackupError("altered", `The rows of ${name} are not taken: ${sentenceOf(error)}`, error);
  }
}

async function writeFile(
  files: Pick<FileStore, "write">,
  id: string,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  if (!isFileId(id)) throw altered("the name of a file");
  await files.write(id, Readable.from(content, { objectMode: false }));
}

/** What a part holds, up to its end. */
async function* contentOf(pieces: AsyncGenerator<Piece>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (;;) {
    // Not by a loop over it: its end would be the end of the whole.
    const { value, done } = await pieces.next();
    if (done === true) throw altered("the end of a part");
    if (value.type === "done") return;
    if (value.type !== "data") throw altered("a part");
    signal.throwIfAborted();
    yield await unpack(value.content, value.isPacked);
  }
}
