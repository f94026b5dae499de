import type { endpoints } from "../../contract/endpoints.ts";
import { shownChange } from "../audit/changes.ts";
import { nothingChanged, type Recorded, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { addFiles, type GivenFile } from "../knowledge/add-files.ts";
import { pageLink } from "../knowledge/page-link.ts";
import { type FoundPassage, searchPassages } from "../knowledge/search.ts";
import { emptyQueryMessage } from "../nodes/services.ts";
import { readerOf } from "../permission/sources.ts";
import { ServiceError } from "../service-error.ts";
import type { Caller, Handlers } from "./handler.ts";
import { sourceFileLink } from "./source-file.ts";
import { checkManages, seenSource, showFile } from "./source-view.ts";

type KnowledgeFiles = Pick<Handlers<typeof endpoints>, "addSourceFiles" | "searchKnowledge">;

/** File names in one entry of the audit log. */
const mostNamed = 100;

/** Public: adds files to a source. A file that cannot be taken does no harm to the others. */
const addSourceFiles: KnowledgeFiles["addSourceFiles"] = async (context, request) => {
  const { caller, params, body } = request;
  const source = await seenSource(context.store.db, caller, params.source_id);
  checkManages(caller, source, "add files to");
  const given: GivenFile[] = [];
  const unreadable: { file_name: string; reason: string }[] = [];
  for (const { file_name, file_content } of body.files) {
    const bytes = decodeBase64(file_content);
    if (bytes === null) unreadable.push({ file_name, reason: "The content is not valid base64." });
    else given.push({ name: file_name, bytes });
  }
  let recorded: Recorded = nothingChanged();
  const { files, rejected } = await addFiles(context, source.id, given, "upload", async (tx, names) => {
    if (names.length === 0) return;
    recorded = await record(tx, request, {
      action: "source.add_files",
      object: { kind: "source", id: source.id, name: source.name },
      teamId: source.team_id,
      changes: names.slice(0, mostNamed).map((name) => shownChange(name, null, "added")),
    });
  });
  return {
    type: "body",
    body: {
      files: files.map((row) => showFile(context, caller, row)),
      rejected: [...unreadable, ...rejected],
    },
    recorded,
  };
};

/** Node reads anything as base64; what is not what was sent is an error here. */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  const plain = text.replace(/={1,2}$/, "");
  return bytes.toString("base64").replace(/={1,2}$/, "") === plain ? bytes : null;
}

/** Public: the passages that answer a question best, of sources that the caller may read. */
const searchKnowledge: KnowledgeFiles["searchKnowledge"] = async (context, { caller, body }) => {
  const found = await searchPassages(context.store.db, readerOf(caller), {
    question: body.query,
    limit: body.limit ?? 10,
    sourceIds: body.source_ids ?? null,
    sourceTypes: body.source_type ?? null,
  });
  if (found === null) {
    throw new ServiceError("invalid_body", { message: `${emptyQueryMessage}.`, param: "query" });
  }
  return { type: "body", body: { results: found.map((passage) => showPassage(context, caller, passage)) } };
};

function showPassage(context: Context, caller: Caller, found: FoundPassage) {
  const page = found.page === null ? "" : `#page=${found.page}`;
  const file = { id: found.fileId, content_id: found.contentId, media_type: found.mediaType };
  return {
    document_id: found.fileId,
    source: found.sourceType,
    title: found.fileName,
    content: found.content,
    url: pageLink(context.publicUrl, found),
    score: found.score,
    updated_at: found.updatedAt.toISOString(),
    metadata: {
      source_id: found.sourceId,
      source_name: found.sourceName,
      file_id: found.fileId,
      file_name: found.fileName,
      page: found.page,
      page_end: found.pageEnd,
      section: found.section,
      marks: [...found.marks],
      file_url: `${sourceFileLink(context, caller, file)}${page}`,
    },
  };
}

export const knowledgeFileHandlers: KnowledgeFiles = { addSourceFiles, searchKnowledge };
