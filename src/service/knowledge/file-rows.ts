import { type Kysely, type Selectable, sql } from "kysely";
import { storableText } from "../store/json.ts";
import type { Database } from "../store/schema.ts";
import type { KnowledgeFilesTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";
import type { Passage } from "./passages.ts";

/** A file that has this content at the moment, and the state of its source. */
export interface ContentRow extends Selectable<KnowledgeFilesTable> {
  readonly source_status: string;
}

/** @returns null where no file has this content any more, or its source was deleted */
export async function readContent(db: Kysely<Database>, contentId: string): Promise<ContentRow | null> {
  const row = await db
    .selectFrom("knowledge_files")
    .innerJoin("knowledge_sources", "knowledge_sources.id", "knowledge_files.source_id")
    .selectAll("knowledge_files")
    .select("knowledge_sources.status as source_status")
    .where("content_id", "=", contentId)
    .where("knowledge_sources.deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The contents that a source's run has to do something for: those that nobody has estimated, and once the source is active
 * those that are not indexed; of a source that was deleted none.
 */
export function pendingContents(db: Kysely<Database>, sourceId: string) {
  return db
    .selectFrom("knowledge_files as file")
    .innerJoin("knowledge_sources as source", "source.id", "file.source_id")
    .select(["file.content_id", "file.status"])
    .where("source.id", "=", sourceId)
    .where("source.deleted_at", "is", null)
    .where(({ eb, or, and }) =>
      or([
        eb("file.status", "=", "estimating"),
        // What waits for the approval of a draft was read already.
        and([eb("source.status", "=", "active"), eb("file.status", "in", ["pending", "indexing"])]),
      ]),
    )
    .orderBy("file.created_at")
    .orderBy("file.file_name")
    .execute();
}

/** Everything that changes what a source's files cost holds its row: an approval charges exactly what it then covers. */
export async function lockSource(tx: Tx, sourceId: string) {
  return tx
    .selectFrom("knowledge_sources")
    .selectAll()
    .where("id", "=", sourceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Keeps the estimate of a draft what its files say; that of an approved source stays what was approved. */
export async function refreshEstimate(tx: Tx, sourceId: string): Promise<void> {
  await sql`
    update knowledge_sources set estimated_credits =
      (select coalesce(round(sum(credits)::numeric, 2), 0) from knowledge_files
        where source_id = ${sourceId} and status = 'pending')
     where id = ${sourceId} and status = 'draft'`.execute(tx);
}

/** Writes what a content will cost; nothing where another has taken its place, or its source was deleted meanwhile. */
export async function writeEstimate(
  tx: Tx,
  { source_id, content_id }: ContentRow,
  { tokens, credits, pageCount }: { tokens: number; credits: number; pageCount: number | null },
): Promise<void> {
  if ((await lockSource(tx, source_id)).deleted_at !== null) return;
  await tx
    .updateTable("knowledge_files")
    .set({ status: "pending", tokens, credits, page_count: pageCount, updated_at: sql<Date>`now()` })
    .where("content_id", "=", content_id)
    .where("status", "=", "estimating")
    .execute();
  await refreshEstimate(tx, source_id);
}

/**
 * Writes why a content cannot be read; nothing where another has taken its place, it is indexed, or its source was deleted
 * meanwhile.
 */
export async function failContent(
  tx: Tx,
  { source_id, content_id }: Pick<ContentRow, "source_id" | "content_id">,
  error: string,
): Promise<void> {
  if ((await lockSource(tx, source_id)).deleted_at !== null) return;
  await tx
    .updateTable("knowledge_files")
    .set({ status: "failed", error: storableText(error).slice(0, 2_000), updated_at: sql<Date>`now()` })
    .where("content_id", "=", content_id)
    .where("status", "in", ["estimating", "pending", "indexing"])
    .execute();
  await refreshEstimate(tx, source_id);
}

/** Shows that a file is being indexed. */
export async function beginIndexing(db: Kysely<Database>, contentId: string): Promise<void> {
  await db
    .updateTable("knowledge_files")
    .set({ status: "indexing", updated_at: sql<Date>`now()` })
    .where("content_id", "=", contentId)
    .where("status", "=", "pending")
    .execute();
}

/**
 * Puts a content's passages in the place of those that its file had, and charges it unless the approval has: once for
 * each content, whoever comes first. Nothing where another content has taken its place, or its source was deleted meanwhile.
 */
export async function writeIndex(
  tx: Tx,
  { id, source_id, content_id }: ContentRow,
  passages: readonly Passage[],
  charge: { readonly id: string; readonly executionId: string },
): Promise<void> {
  const source = await lockSource(tx, source_id);
  if (source.deleted_at !== null) return;
  const file = await tx
    .updateTable("knowledge_files")
    .set({ status: "indexed", updated_at: sql<Date>`now()` })
    .where("content_id", "=", content_id)
    .where("status", "in", ["pending", "indexing"])
    .returning(["in_approval", "credits"])
    .executeTakeFirst();
  if (file === undefined) return;
  await tx.deleteFrom("knowledge_passages").where("file_id", "=", id).execute();
  for (let from = 0; from < passages.length; from += 500) {
    await insertPassages(tx, { id, source_id }, passages.slice(from, from + 500), from);
  }
  if (file.in_approval) return;
  await tx
    .insertInto("credits")
    .values({
      ...{ id: charge.id, execution_id: charge.executionId, kind: "upload", content_id },
      ...{
        user_id: source.created_by_user_id,
        team_id: source.team_id,
        source_id,
        amount: file.credits ?? 0,
      },
    })
    .onConflict((conflict) => conflict.column("content_id").doNothing())
    .execute();
}

async function insertPassages(
  tx: Tx,
  file: { readonly id: string; readonly source_id: string },
  passages: readonly Passage[],
  before: number,
): Promise<void> {
  const rows = passages.map(({ page, pageEnd, section, content, words }, index) => ({
    ...{ file_id: file.id, source_id: file.source_id, seq: before + index + 1, page, page_end: pageEnd },
    section: section === null ? null : storableText(section),
    content: storableText(content),
    words: words === null ? null : storableText(words),
  }));
  await tx.insertInto("knowledge_passages").values(rows).execute();
}
