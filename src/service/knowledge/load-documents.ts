import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context } from "../context.ts";
import { removeUnnamed } from "../files/sweep-files.ts";
import { addFiles, type GivenFile } from "./add-files.ts";
import { lockSource, refreshEstimate } from "./file-rows.ts";

/** A source of the workspace's folder. */
interface FolderSource {
  readonly id: string;
  /** Its `source.yaml`, below the workspace's folder; the documents lie beside it. */
  readonly source: { readonly file: string };
  readonly documents: readonly { readonly name: string }[];
}

/** So many bytes of documents are held at a time; one that is larger is held alone. */
const maxBuffered = 32_000_000;

/**
 * Brings the files of the workspace's sources in line with their folders: new and changed documents are added, those that
 * are gone are taken out of the index. What was sent through the interface stays, and a source that somebody deleted stays
 * deleted.
 * @param most bytes of documents to hold at a time
 */
export async function loadDocuments(
  context: Pick<Context, "ids" | "files" | "store" | "engine" | "log">,
  directory: string,
  sources: readonly FolderSource[],
  most = maxBuffered,
): Promise<void> {
  for (const { id, source, documents } of sources) {
    if (await isDeleted(context, id)) continue;
    const folder = join(directory, dirname(source.file));
    const names = documents.map(({ name }) => name);
    // First, so that what comes in their place has room.
    await removeGone(context, id, names);
    const there = await context.store.db
      .selectFrom("knowledge_files")
      .select(["file_name", "sha256"])
      .where("source_id", "=", id)
      .execute();
    const known = new Map(there.map(({ file_name, sha256 }) => [file_name, sha256]));
    let held: GivenFile[] = [];
    let size = 0;
    const add = async () => {
      const files = held;
      held = [];
      size = 0;
      if (files.length > 0) await addDocuments(context, id, files);
    };
    for (const name of names) {
      const bytes = await readFile(join(folder, name));
      if (known.get(name) === hashOf(bytes)) continue;
      if (size + bytes.length > most) await add();
      held.push({ name, bytes });
      size += bytes.length;
    }
    await add();
  }
}

async function isDeleted({ store }: Pick<Context, "store">, sourceId: string): Promise<boolean> {
  const row = await store.db
    .selectFrom("knowledge_sources")
    .select("deleted_at")
    .where("id", "=", sourceId)
    .executeTakeFirst();
  return row !== undefined && row.deleted_at !== null;
}

async function addDocuments(
  context: Parameters<typeof loadDocuments>[0],
  sourceId: string,
  files: readonly GivenFile[],
): Promise<void> {
  const { rejected } = await addFiles(context, sourceId, files, "workspace");
  for (const { file_name, reason } of rejected) {
    context.log.warn(
      { source: sourceId, file: file_name, reason },
      "a document of the workspace is not taken",
    );
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function removeGone(
  { store, files }: Pick<Context, "store" | "files">,
  sourceId: string,
  names: readonly string[],
): Promise<void> {
  const gone = await store.db.transaction().execute(async (tx) => {
    // Before its files, as whoever reads them in another process has it.
    await lockSource(tx, sourceId);
    let rows = tx
      .deleteFrom("knowledge_files")
      .where("source_id", "=", sourceId)
      .where("origin", "=", "workspace");
    if (names.length > 0) rows = rows.where("file_name", "not in", [...names]);
    const removed = await rows.returning("content_id").execute();
    if (removed.length > 0) await refreshEstimate(tx, sourceId);
    return removed;
  });
  await removeUnnamed(
    files,
    gone.map(({ content_id }) => content_id),
  );
}
