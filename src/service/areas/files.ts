import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { shownChange } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { type ZipSource, zipStream } from "../files/zip-stream.ts";
import { resolveActor } from "../permission/actor.ts";
import { type ExecutionOwner, fileRefusal } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import { readableArtifact } from "./artifact-rows.ts";
import { noRun } from "./get-run.ts";
import type { Caller, Handlers } from "./handler.ts";
import { runOwner } from "./run-rows.ts";

/** What `run_id` names: a run or a conversation. */
interface Origin {
  readonly kind: "run" | "conversation";
  readonly owner: ExecutionOwner;
  readonly savedItemId: string | null;
  /**
   * By name; only those that were asked for.
   * @param sharedWith only those that were shared with this caller, who may not read the whole; null: all
   */
  files(names: readonly string[], sharedWith: Caller | null): Promise<ReadonlyMap<string, ZipSource>>;
}

/**
 * §4.6: a zip of files of one run or conversation, streamed. "Files are those the caller can access": of a conversation
 * that a person may not read, those that were shared with them. A name that is not there is `not_found` naming it; a team
 * key that asks for a member's own files hears `personal_credential_required`.
 */
const downloadFiles: Handlers<typeof endpoints>["downloadFiles"] = async (context, request) => {
  const { caller, body, signal } = request;
  resolveActor(caller, body, "always");
  const origin = (await findRun(context, body.run_id)) ?? (await findInteraction(context, body.run_id));
  if (!origin || (body.saved_item_id != null && body.saved_item_id !== origin.savedItemId)) throw noRun();
  const refusal = fileRefusal(caller, origin.owner);
  if (refusal === "personal_credential_required") throw new ServiceError(refusal, { param: "run_id" });
  const names = [...new Set(body.file_names)];
  const found = await origin.files(names, refusal === null ? null : caller);
  if (refusal !== null && found.size === 0) throw noRun();
  const sources = names.map((name) => {
    const source = found.get(name);
    if (source) return source;
    throw new ServiceError("not_found", {
      message: `There is no file named ${JSON.stringify(name.slice(0, 200))} in ${body.run_id}.`,
      param: "file_names",
    });
  });
  if (caller.kind === "team" || origin.owner.userId !== caller.userId) {
    const event = {
      action: "files.download",
      object: { kind: origin.kind, id: body.run_id },
      teamId: origin.owner.teamId,
      changes: [shownChange("files", null, names.length)],
    } as const;
    await context.store.db.transaction().execute((tx) => record(tx, request, event));
  }
  return {
    type: "stream",
    stream: zipStream(context.files, sources, signal),
    mediaType: "application/zip",
    filename: `${body.run_id}.zip`,
  };
};

async function findRun({ store }: Context, id: string): Promise<Origin | null> {
  const run = await store.db
    .selectFrom("executions")
    .select(["user_id", "team_id", "subject_id"])
    .where("id", "=", id)
    .where("kind", "=", "pipeline")
    .executeTakeFirst();
  if (!run) return null;
  return {
    kind: "run",
    owner: runOwner(run),
    savedItemId: run.subject_id,
    async files(names, sharedWith) {
      // Files of a run are not shared one by one.
      if (sharedWith !== null) return new Map();
      const rows = await store.db
        .selectFrom("run_files")
        .select(["id", "name", "created_at"])
        .where("execution_id", "=", id)
        .where("name", "in", [...names])
        .execute();
      return new Map(
        rows.map((row) => [row.name, { name: row.name, fileId: row.id, modifiedAt: row.created_at }]),
      );
    },
  };
}

async function findInteraction({ store }: Context, id: string): Promise<Origin | null> {
  const interaction = await store.db
    .selectFrom("interactions")
    .select(["user_id", "team_id"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!interaction) return null;
  return {
    kind: "conversation",
    owner: runOwner(interaction),
    savedItemId: null,
    async files(names, sharedWith) {
      // A team's key opens no chat files of other people, shared or not (§5.8).
      if (sharedWith?.kind === "team") return new Map();
      const rows = await store.db
        .selectFrom("artifacts")
        .innerJoin("artifact_versions", "artifact_versions.id", "artifacts.version_id")
        .select(["artifacts.filename", "artifact_versions.file_id", "artifact_versions.created_at"])
        .where("artifacts.interaction_id", "=", id)
        .where("artifacts.removed_at", "is", null)
        .where("artifacts.filename", "in", [...names])
        .where(sharedWith === null ? sql<boolean>`true` : readableArtifact(sharedWith, sql`artifacts.id`))
        .execute();
      return new Map(
        rows.map((row) => {
          return [row.filename, { name: row.filename, fileId: row.file_id, modifiedAt: row.created_at }];
        }),
      );
    },
  };
}

export const fileHandlers: Pick<Handlers<typeof endpoints>, "downloadFiles"> = { downloadFiles };
