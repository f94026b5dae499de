import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { record } from "../audit/record.ts";
import { restorableUntil } from "../files/purge-deleted.ts";
import { artifactRole, mayDeleteArtifact } from "../permission/artifacts.ts";
import { ServiceError } from "../service-error.ts";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { Tx } from "../store/store.ts";
import { type LoadedArtifact, loadArtifact, loadDeletedArtifact } from "./artifact-rows.ts";
import type { Caller, Handlers } from "./handler.ts";

type Deletion = Pick<Handlers<typeof endpoints>, "deleteArtifact" | "restoreArtifact">;

/** @throws ServiceError `not_found` where it is not there for the caller, `forbidden` where it is another's to delete */
function checkDeletes(caller: Caller, loaded: LoadedArtifact | null): LoadedArtifact {
  if (loaded === null || artifactRole(caller, loaded.facts) === null) {
    throw new ServiceError("not_found", { message: "There is no such artifact.", param: "artifact_id" });
  }
  if (!mayDeleteArtifact(caller, loaded.facts)) {
    throw new ServiceError("forbidden", { message: "Only its owner can delete it." });
  }
  return loaded;
}

/**
 * Own: everything that reads artifacts leaves out what is removed, and shares and links are kept for a restoring. The row
 * is locked, so that of two deletions one finds it. The bytes go when it can be restored no more.
 */
const deleteArtifact: Deletion["deleteArtifact"] = async (context, request) => {
  const { caller, params } = request;
  const { deletedAt, recorded } = await context.store.db.transaction().execute(async (tx) => {
    const { artifact } = checkDeletes(caller, await loadArtifact(tx, params.artifact_id, true));
    const { removed_at } = await tx
      .updateTable("artifacts")
      .set({ removed_at: sql<Date>`now()` })
      .where("id", "=", artifact.id)
      .returning(sql<Date>`removed_at`.as("removed_at"))
      .executeTakeFirstOrThrow();
    const recorded = await record(tx, request, {
      action: "artifact.delete",
      object: { kind: "artifact", id: artifact.id, name: artifact.filename },
      teamId: artifact.team_id,
    });
    return { deletedAt: removed_at, recorded };
  });
  return {
    type: "body",
    body: {
      artifact_id: params.artifact_id,
      deleted_at: deletedAt.toISOString(),
      restorable_until: restorableUntil(deletedAt).toISOString(),
    },
    recorded,
  };
};

/** Own: the artifact with its versions, shares and links as it was. */
const restoreArtifact: Deletion["restoreArtifact"] = async (context, request) => {
  const { caller, params } = request;
  const recorded = await context.store.db.transaction().execute(async (tx) => {
    const { artifact } = checkDeletes(caller, await loadDeletedArtifact(tx, params.artifact_id));
    await checkName(tx, artifact);
    await tx.updateTable("artifacts").set({ removed_at: null }).where("id", "=", artifact.id).execute();
    return await record(tx, request, {
      action: "artifact.restore",
      object: { kind: "artifact", id: artifact.id, name: artifact.filename },
      teamId: artifact.team_id,
    });
  });
  return { type: "body", body: { artifact_id: params.artifact_id }, recorded };
};

/** @throws ServiceError `name_taken` where the conversation wrote the name anew, or two of that name are restored at once */
async function checkName(tx: Tx, artifact: LoadedArtifact["artifact"]): Promise<void> {
  const { interaction_id, filename } = artifact;
  await takeAdvisoryLock(tx, `artifact name ${interaction_id} ${filename}`);
  const other = await tx
    .selectFrom("artifacts")
    .select("id")
    .where("interaction_id", "=", interaction_id)
    .where("filename", "=", filename)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (other === undefined) return;
  throw new ServiceError("name_taken", {
    message: `The conversation has written ${JSON.stringify(filename.slice(0, 200))} again since: delete that one first.`,
    details: { artifact_id: other.id },
  });
}

export const artifactDeletionHandlers: Deletion = { deleteArtifact, restoreArtifact };
