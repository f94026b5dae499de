import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { invalidFileName } from "../agents/tools/arguments.ts";
import type { Context } from "../context.ts";
import { removeUnnamed } from "../files/sweep-files.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import type { KnowledgeFilesTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";
import { detectFileKind, type FileKind } from "./file-kind.ts";
import { lockSource, refreshEstimate } from "./file-rows.ts";
import { ensureRun, wakeRun } from "./source-run.ts";

/** Of one source. */
const maxFiles = 1_000;

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Added {
  readonly files: readonly Selectable<KnowledgeFilesTable>[];
  /** What was not taken, with a sentence for the person who sent it. */
  readonly rejected: readonly { readonly file_name: string; readonly reason: string }[];
}

/** A file that can be read, with its bytes in the file store. */
interface Kept {
  readonly name: string;
  readonly kind: FileKind;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
  readonly contentId: string;
}

type Services = Pick<Context, "ids" | "files" | "store" | "engine">;
type Origin = KnowledgeFilesTable["origin"];

/**
 * Adds files to a source, and starts reading them in the same transaction. A name that is there gets the new content; the
 * same content again changes nothing.
 * @param within done in the same transaction, with the names of files that are new or have another content
 */
export async function addFiles(
  services: Services,
  sourceId: string,
  given: readonly GivenFile[],
  origin: Origin = "upload",
  within?: (tx: Tx, names: readonly string[]) => Promise<void>,
): Promise<Added> {
  const rejected: { file_name: string; reason: string }[] = [];
  const kept: Kept[] = [];
  const unused = new Set<string>();
  let committing = false;
  try {
    for (const { name, bytes } of given) {
      const looked = detectFileKind(name, bytes);
      const wrong =
        invalidFileName(name) ?? (kept.some((file) => file.name === name) ? "name is there twice" : null);
      if (wrong !== null || looked.type === "refused") {
        const reason = wrong === null ? looked.type === "refused" && looked.reason : `The ${wrong}.`;
        rejected.push({ file_name: name, reason: reason || "It cannot be read." });
        continue;
      }
      const contentId = services.ids.make("content");
      const size = await services.files.write(contentId, bytes);
      unused.add(contentId);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      kept.push({
        name: storableText(name),
        kind: looked.kind,
        mediaType: looked.mediaType,
        size,
        sha256,
        contentId,
      });
    }
    const { files, replaced } = await services.store.db.transaction().execute(async (tx) => {
      const done = await keepFiles(tx, services, { sourceId, origin, kept, rejected });
      await within?.(tx, done.written);
      committing = true;
      return done;
    });
    committing = false;
    for (const { content_id } of files) unused.delete(content_id);
    for (const contentId of replaced) unused.add(contentId);
    return { files, rejected };
  } finally {
    // What was not taken, and what was there before: rows no longer name them. A commit whose answer was lost may have
    // got through, even after this: the sweep finds out what no row names.
    if (!committing) await removeUnnamed(services.files, unused);
  }
}

async function keepFiles(
  tx: Tx,
  services: Services,
  {
    sourceId,
    origin,
    kept,
    rejected,
  }: {
    readonly sourceId: string;
    readonly origin: Origin;
    readonly kept: readonly Kept[];
    readonly rejected: { file_name: string; reason: string }[];
  },
) {
  const underWay = await wakeRun(tx, sourceId);
  const source = await lockSource(tx, sourceId);
  // Between the look at it and here.
  if (source.deleted_at !== null) throw new ServiceError("not_found", { param: "source_id" });
  const there = await tx
    .selectFrom("knowledge_files")
    .select(["file_name", "sha256", "content_id", "status"])
    .where("source_id", "=", sourceId)
    .execute();
  const byName = new Map(there.map((file) => [file.file_name, file]));
  const replaced: string[] = [];
  const written: string[] = [];
  const names: string[] = [];
  for (const file of kept) {
    const before = byName.get(file.name);
    if (before === undefined && byName.size >= maxFiles) {
      rejected.push({
        file_name: file.name,
        reason: `The source has ${maxFiles} files, which is the most.`,
      });
      continue;
    }
    names.push(file.name);
    if (before?.sha256 === file.sha256 && before.status !== "failed") continue;
    if (before !== undefined) replaced.push(before.content_id);
    byName.set(file.name, {
      ...file,
      file_name: file.name,
      content_id: file.contentId,
      status: "estimating",
    });
    written.push(file.name);
    await writeFile(tx, services.ids.make("file"), sourceId, origin, file);
  }
  await refreshEstimate(tx, sourceId);
  if (written.length > 0) await ensureRun(tx, services, source, underWay);
  const files =
    names.length === 0
      ? []
      : await tx
          .selectFrom("knowledge_files")
          .selectAll()
          .where("source_id", "=", sourceId)
          .where("file_name", "in", names)
          .orderBy("file_name")
          .execute();
  return { files, replaced, written };
}

/** The content before, if there was one, stays to be found until this one is indexed. */
async function writeFile(tx: Tx, id: string, sourceId: string, origin: Origin, file: Kept): Promise<void> {
  const content = {
    ...{ kind: file.kind, media_type: file.mediaType, size: file.size, sha256: file.sha256 },
    ...{ content_id: file.contentId, origin, status: "estimating" as const, error: null },
    ...{ page_count: null, tokens: null, credits: null, in_approval: false },
  };
  await tx
    .insertInto("knowledge_files")
    .values({ id, source_id: sourceId, file_name: file.name, ...content })
    .onConflict((conflict) =>
      conflict.columns(["source_id", "file_name"]).doUpdateSet({ ...content, updated_at: sql<Date>`now()` }),
    )
    .execute();
}
