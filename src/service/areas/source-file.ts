import type { Selectable } from "kysely";
import { shownChange } from "../audit/changes.ts";
import type { Context } from "../context.ts";
import { callerById } from "../credentials/caller-by-id.ts";
import type { LinkedFile } from "../files/signed-link.ts";
import { mayReadSource } from "../permission/sources.ts";
import type { KnowledgeFilesTable } from "../store/schema-agents.ts";
import { isOwn, type OpenedFile } from "./artifact-file.ts";
import { artifactLink } from "./artifact-link.ts";
import type { Caller } from "./handler.ts";

/** A signed link to a source's file, good as long as the caller's credential may read the source. */
export function sourceFileLink(
  context: Context,
  caller: Caller,
  { id, content_id, media_type }: Pick<Selectable<KnowledgeFilesTable>, "id" | "content_id" | "media_type">,
): string {
  // Ids of artifacts and of files differ in how they begin.
  return artifactLink(
    context,
    caller,
    { artifactId: id, versionId: content_id, mediaType: media_type },
    "show",
  );
}

/** What such a link opens. @returns null where it is no link to a source's file, or opens nothing any more */
export async function openSourceFile(
  { store }: Context,
  { artifactId, versionId, disposition, holder }: LinkedFile,
): Promise<OpenedFile | null> {
  if (holder.type !== "credential") return null;
  const file = await store.db
    .selectFrom("knowledge_files")
    .innerJoin("knowledge_sources as source", "source.id", "knowledge_files.source_id")
    .select(["content_id", "file_name", "media_type", "scope", "team_id", "created_by_user_id"])
    .select("source.id as source_id")
    .where("knowledge_files.id", "=", artifactId)
    .where("content_id", "=", versionId)
    .where("source.deleted_at", "is", null)
    .executeTakeFirst();
  const caller = file && (await callerById(store, holder.id));
  if (!file || !caller) return null;
  const owner = { scope: file.scope, teamId: file.team_id, createdByUserId: file.created_by_user_id };
  if (!mayReadSource(caller, owner)) return null;
  const event = {
    action: "files.download",
    object: { kind: "source", id: file.source_id, name: file.file_name },
    teamId: file.team_id,
    changes: [shownChange("disposition", null, disposition)],
  } as const;
  return {
    ...{ fileId: file.content_id, filename: file.file_name, mediaType: file.media_type, disposition },
    download: isOwn(caller, file.created_by_user_id) ? null : { caller, event },
  };
}
