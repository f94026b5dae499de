import type { Kysely } from "kysely";
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
