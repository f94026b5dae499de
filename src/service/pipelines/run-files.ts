import type { Kysely } from "kysely";
import type { FileStore } from "../files/file-store.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";

/** A file that a run wrote; its bytes lie in the file store under `fileId`. `size` in bytes. */
export interface RunFile {
  readonly runId: string;
  readonly fileId: string;
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
}

/** Writes the row of a file in the transaction that records its node. A later file of the same name replaces it. */
export async function insertRunFile(tx: Tx, file: RunFile): Promise<void> {
  await tx
    .insertInto("run_files")
    .values({
      id: file.fileId,
      execution_id: file.runId,
      name: file.name,
      media_type: file.mediaType,
      size: file.size,
    })
    .onConflict((conflict) =>
      conflict.columns(["execution_id", "name"]).doUpdateSet({
        id: file.fileId,
        media_type: file.mediaType,
        size: file.size,
      }),
    )
    .execute();
}

/** @returns the files of a run, in the order in which they were written */
export async function listRunFiles(db: Kysely<Database>, runId: string): Promise<RunFile[]> {
  const rows = await db
    .selectFrom("run_files")
    .selectAll()
    .where("execution_id", "=", runId)
    .orderBy("created_at")
    .orderBy("name")
    .execute();
  return rows.map((row) => ({
    runId: row.execution_id,
    fileId: row.id,
    name: row.name,
    size: row.size,
    mediaType: row.media_type,
  }));
}

/**
 * Gives a run the files that these nodes had written in another one, with bytes of its own: either may be removed without
 * the other. Bytes of a transaction that is rolled back are swept. In the caller's transaction.
 * @param runs which run gets files of which
 */
export async function copyRunFiles(
  tx: Tx,
  files: Pick<FileStore, "read" | "write">,
  runs: { readonly from: string; readonly to: string },
  nodeIds: readonly string[],
): Promise<void> {
  if (nodeIds.length === 0) return;
  const rows = await tx
    .selectFrom("run_files")
    .selectAll()
    .where("execution_id", "=", runs.from)
    .where(
      "id",
      "in",
      nodeIds.map((id) => runFileId(runs.from, id)),
    )
    .execute();
  for (const row of rows) {
    const bytes = await files.read(row.id);
    if (bytes === null) continue;
    const id = runFileId(runs.to, row.id.slice(runFileId(runs.from, "").length));
    await files.write(id, bytes);
    const { name, media_type, size, created_at } = row;
    await tx
      .insertInto("run_files")
      .values({ id, execution_id: runs.to, name, media_type, size, created_at })
      .execute();
  }
}

/** Under which a node's file lies. The same at each attempt: a step that is repeated after a crash replaces its own bytes. */
export function runFileId(runId: string, nodeId: string): string {
  return `${runId}-${nodeId}`;
}
