import { buffer } from "node:stream/consumers";
import type { Kysely } from "kysely";
import type { Clock, Ids } from "../context.ts";
import type { End, Execution, Journal, Kind, Outcome } from "../engine/kind.ts";
import { start } from "../engine/start.ts";
import type { FileStore } from "../files/file-store.ts";
import { type Requester, shareOf } from "../limiter.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import { creditsOf, tokensOf } from "./cost.ts";
import type { DocumentReader, DocumentRequest } from "./document-reader.ts";
import {
  beginIndexing,
  type ContentRow,
  failContent,
  lockSource,
  pendingContents,
  readContent,
  writeEstimate,
  writeIndex,
} from "./file-rows.ts";
import { setRun, syncRun } from "./source-run.ts";

export interface SyncServices {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly files: FileStore;
  readonly reader: DocumentReader;
}

/** Milliseconds after which a draft's run looks by itself whether there is anything to do: nobody waits for it. */
const lookAgain = 30 * 86_400_000;

/**
 * Reads the files of a source (§3.3), one run at a time: estimates what is new, waits for a draft's approval without
 * holding a worker, and goes on with the indexing when it comes. What is added meanwhile belongs to the same run. Each file
 * is two recorded steps, so that after a crash none is charged or written twice. A file that cannot be read fails alone.
 */
export function createSyncKind(services: SyncServices): Kind {
  return {
    advance: (execution, journal) => advance(services, execution, journal),
    ended: (tx, execution, end) => ended(services, tx, execution, end),
  };
}

async function advance(services: SyncServices, execution: Execution, journal: Journal): Promise<Outcome> {
  const { db } = services;
  const sourceId = execution.subjectId;
  const mayWait = (await statusOf(db, sourceId)) === "draft";
  // Before the first look: whatever comes after it ends this step, so that nothing is missed.
  if (mayWait) await waitForMore(journal);
  const requester = { share: shareOf(execution, execution.id), signal: journal.signal };
  const seen = new Set<string>();
  for (;;) {
    const found = await pendingContents(db, sourceId);
    const next = found.filter(({ content_id, status }) => !seen.has(`${content_id} ${status}`));
    if (next.length === 0) break;
    for (const { content_id: contentId, status } of next) {
      seen.add(`${contentId} ${status}`);
      await estimate(services, journal, requester, contentId);
      await index(services, journal, requester, execution.id, contentId);
    }
  }
  if (mayWait && (await statusOf(db, sourceId)) === "draft") return { type: "waiting" };
  return { type: "done", result: await countFiles(db, sourceId) };
}

async function waitForMore(journal: Journal): Promise<void> {
  const all = [...journal.steps.values()].filter(({ key }) => key.startsWith("more "));
  if (all.some(({ state }) => state === "waiting")) return;
  await journal.wait(`more ${all.length + 1}`, lookAgain);
}

/** @returns null for a source that is gone, or was deleted */
async function statusOf(db: Kysely<Database>, sourceId: string): Promise<string | null> {
  const row = await db
    .selectFrom("knowledge_sources")
    .select("status")
    .where("id", "=", sourceId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row?.status ?? null;
}

async function countFiles(db: Kysely<Database>, sourceId: string) {
  const rows = await db
    .selectFrom("knowledge_files")
    .select("status")
    .where("source_id", "=", sourceId)
    .execute();
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  return { documents: rows.length, indexed: count("indexed"), failed: count("failed") };
}

/** What a run that did not get to its end leaves has failed; what came just before its end gets a run of its own. */
async function ended({ ids }: SyncServices, tx: Tx, { subjectId }: Execution, end: End): Promise<void> {
  if ((await statusOf(tx, subjectId)) === null) return;
  const source = await lockSource(tx, subjectId);
  const left = await pendingContents(tx, subjectId);
  if (left.length === 0) return;
  if (end.type === "done") {
    const run = syncRun(ids, source);
    await start(tx, run);
    await setRun(tx, subjectId, run.id);
    return;
  }
  const why = end.type === "failed" ? end.error : "It was stopped.";
  for (const { content_id } of left) {
    await failContent(tx, { source_id: subjectId, content_id }, `It could not be read: ${why}`);
  }
}

async function estimate(
  { db, ...services }: SyncServices,
  journal: Journal,
  requester: Requester,
  contentId: string,
): Promise<void> {
  const key = `estimate ${contentId}`;
  const row = await readContent(db, contentId);
  // Replaced by another content since, or estimated before.
  if (row?.status !== "estimating" || journal.steps.has(key)) return;
  const document = await services.reader.read(fileOf(services, row), requester);
  if (document.type === "unreadable") {
    const { reason } = document;
    await journal.record(key, done, { within: (tx) => failContent(tx, row, reason) });
    return;
  }
  const letters = document.pages.reduce((sum, { text }) => sum + text.length, 0);
  const tokens = tokensOf(letters);
  const facts = { tokens, credits: creditsOf(tokens), pageCount: document.pageCount };
  await journal.record(key, done, { within: (tx) => writeEstimate(tx, row, facts) });
}

async function index(
  { db, ids, ...services }: SyncServices,
  journal: Journal,
  requester: Requester,
  executionId: string,
  contentId: string,
): Promise<void> {
  const key = `index ${contentId}`;
  const row = await readContent(db, contentId);
  if (row === null || journal.steps.has(key)) return;
  const waits = row.status === "pending" || row.status === "indexing";
  if (row.source_status !== "active" || !waits) return;
  await beginIndexing(db, contentId);
  const document = await services.reader.cut(fileOf(services, row), requester);
  if (document.type === "unreadable") {
    const { reason } = document;
    await journal.record(key, done, { within: (tx) => failContent(tx, row, reason) });
    return;
  }
  const { passages } = document;
  const charge = { id: ids.make("credit"), executionId };
  await journal.record(key, done, { within: (tx) => writeIndex(tx, row, passages, charge) });
}

const done = { type: "done", output: null } as const;

const fileOf = (
  { files }: Pick<SyncServices, "files">,
  { content_id, kind }: ContentRow,
): DocumentRequest => ({
  kind,
  async load() {
    const stream = await files.read(content_id);
    return stream === null ? null : await buffer(stream);
  },
});
