import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context } from "../context.ts";
import { addFiles, type GivenFile } from "./add-files.ts";
import { refreshEstimate } from "./file-rows.ts";

/** A source of the workspace's folder. */
interface FolderSource {
  readonly id: string;
  /** Its `source.yaml`, below the workspace's folder; the documents lie beside it. */
  readonly source: { readonly file: string };
  readonly documents: readonly { readonly name: string }[];
}

/**
 * Brings the files of the workspace's sources in line with their folders: new and changed documents are added, those that
 * are gone are taken out of the index. What was sent through the interface stays.
 */
export async function loadDocuments(
  context: Pick<Context, "ids" | "files" | "store" | "engine" | "log">,
  directory: string,
  sources: readonly FolderSource[],
): Promise<void> {
  for (const { id, source, documents } of sources) {
    const folder = join(directory, dirname(source.file));
    const given = await Promise.all(
      documents.map(
        async ({ name }): Promise<GivenFile> => ({ name, bytes: await readFile(join(folder, name)) }),
      ),
    );
    const there = await context.store.db
      .selectFrom("knowledge_files")
      .select(["file_name", "sha256"])
      .where("source_id", "=", id)
      .execute();
    const known = new Map(there.map(({ file_name, sha256 }) => [file_name, sha256]));
    const changed = given.filter(({ name, bytes }) => known.get(name) !== hashOf(bytes));
    if (changed.length > 0) {
      const { rejected } = await addFiles(context, id, changed, "workspace");
      for (const { file_name, reason } of rejected) {
        context.log.warn({ source: id, file: file_name, reason }, "a document of the workspace is not taken");
      }
    }
    await removeGone(
      context,
      id,
      given.map(({ name }) => name),
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
    let rows = tx
      .deleteFrom("knowledge_files")
      .where("source_id", "=", sourceId)
      .where("origin", "=", "workspace");
    if (names.length > 0) rows = rows.where("file_name", "not in", [...names]);
    const removed = await rows.returning("content_id").execute();
    if (removed.length > 0) await refreshEstimate(tx, sourceId);
    return removed;
  });
  for (const { content_id } of gone) await files.remove(content_id);
}
