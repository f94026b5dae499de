import type { Kysely } from "kysely";
import { z } from "zod";
import type { Ids } from "../context.ts";
import type { Execution, Journal, Kind, NewExecution, Outcome } from "../engine/kind.ts";
import type { FileStore } from "../files/file-store.ts";
import type { Database } from "../store/schema.ts";
import { creditsOf, tokensOf } from "./cost.ts";
import type { DocumentReader, DocumentRequest } from "./document-reader.ts";
import {
  beginIndexing,
  type ContentRow,
  failContent,
  failContents,
  readContent,
  writeEstimate,
  writeIndex,
} from "./file-rows.ts";

/** The name of the kind, in `executions.kind`. Its subject is the source. */
export const syncKind = "knowledge";

const syncInput = z.object({ contentIds: z.array(z.string()) });

export interface SyncServices {
  readonly db: Kysely<Database>;
  readonly ids: Ids;
  readonly files: FileStore;
  readonly reader: DocumentReader;
}

/** What reads these contents of a source: to estimate them, and to index them where the source is active. */
export function newSync(
  ids: Ids,
  source: {
    readonly id: string;
    readonly team_id: string | null;
    readonly created_by_user_id: string;
    readonly scope: string;
  },
  contentIds: readonly string[],
): NewExecution {
  const teamId = source.scope === "team" ? source.team_id : null;
  return {
    ...{ id: ids.make("sync"), kind: syncKind, subjectId: source.id },
    ...{ userId: source.created_by_user_id, teamId },
    input: { contentIds: [...contentIds] },
  };
}

/**
 * Reads files of a source (§3.3): estimates what is new; indexes what the approval covers, and what came to an active
 * source. Each file is two recorded steps, so that after a crash none is charged or written twice. A file that cannot be
 * read fails alone.
 */
export function createSyncKind(services: SyncServices): Kind {
  return {
    advance: (execution, journal) => advance(services, execution, journal),
    async ended(tx, { input, subjectId }, end) {
      if (end.type === "done") return;
      const why = end.type === "failed" ? end.error : "It was stopped.";
      await failContents(tx, subjectId, syncInput.parse(input).contentIds, `It could not be read: ${why}`);
    },
  };
}

async function advance(services: SyncServices, execution: Execution, journal: Journal): Promise<Outcome> {
  const { contentIds } = syncInput.parse(execution.input);
  const counts = { indexed: 0, failed: 0 };
  for (const contentId of contentIds) {
    await estimate(services, journal, contentId);
    await index(services, journal, execution.id, contentId);
    const row = await readContent(services.db, contentId);
    if (row?.status === "indexed") counts.indexed++;
    if (row?.status === "failed") counts.failed++;
  }
  return { type: "done", result: { documents: contentIds.length, ...counts } };
}

async function estimate(
  { db, ...services }: SyncServices,
  journal: Journal,
  contentId: string,
): Promise<void> {
  const key = `estimate ${contentId}`;
  const row = await readContent(db, contentId);
  // Replaced by another content since, or estimated before.
  if (row?.status !== "estimating" || journal.steps.has(key)) return;
  const file = await readFile(services, row);
  const document = file === null ? gone : await services.reader.read(file, journal.signal);
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
  executionId: string,
  contentId: string,
): Promise<void> {
  const key = `index ${contentId}`;
  const row = await readContent(db, contentId);
  if (row === null || journal.steps.has(key)) return;
  // What was pending when its source was approved belongs to the execution that the approval started.
  const ours = row.in_approval === !journal.steps.has(`estimate ${contentId}`);
  const waits = row.status === "pending" || row.status === "indexing";
  if (row.source_status !== "active" || !ours || !waits) return;
  await beginIndexing(db, contentId);
  const file = await readFile(services, row);
  const document = file === null ? gone : await services.reader.cut(file, journal.signal);
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

const gone = { type: "unreadable", reason: "The file is gone from the service's files." } as const;

async function readFile(
  { files }: Pick<SyncServices, "files">,
  { content_id, kind }: ContentRow,
): Promise<DocumentRequest | null> {
  const stream = await files.read(content_id);
  if (stream === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { kind, bytes: Buffer.concat(chunks) };
}
