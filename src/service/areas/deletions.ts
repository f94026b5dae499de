import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { artifactRole } from "../permission/artifacts.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import { type Deletion, findTombstone } from "../store/tombstones.ts";
import { audiencesOf, loadRemovedArtifact } from "./artifact-rows.ts";
import type { Caller, Handlers } from "./handler.ts";
import { timestamp } from "./times.ts";

type Deletions = Pick<Handlers<typeof endpoints>, "getDeletion">;

/** Own. What a person deleted has its row for a while; of all else there is a tombstone. */
const getDeletion: Deletions["getDeletion"] = async (context, { caller, params: { id } }) => {
  const found =
    (await deletedConversation(context, caller, id)) ??
    (await deletedArtifact(context, caller, id)) ??
    (await findTombstone(context.store.db, id, audiencesOf(caller)));
  if (found === null) {
    throw new ServiceError("not_found", { message: "There is no such deletion.", param: "id" });
  }
  const { at, ruleDays } = found;
  return {
    type: "body",
    body: {
      id,
      deleted_ts: timestamp(at),
      deleted_by: ruleDays === null ? "person" : "retention",
      rule_days: ruleDays,
    },
  };
};

async function deletedConversation({ store }: Context, caller: Caller, id: string): Promise<Deletion | null> {
  const row = await store.db
    .selectFrom("interactions")
    .select(["user_id", "team_id", "deleted_at"])
    .where("id", "=", id)
    .where("erased_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || row.deleted_at === null) return null;
  return mayReadExecution(caller, { userId: row.user_id, teamId: row.team_id })
    ? { at: row.deleted_at, ruleDays: null }
    : null;
}

async function deletedArtifact({ store }: Context, caller: Caller, id: string): Promise<Deletion | null> {
  const loaded = await loadRemovedArtifact(store.db, id);
  const at = loaded?.artifact.removed_at ?? null;
  return loaded === null || at === null || artifactRole(caller, loaded.facts) === null
    ? null
    : { at, ruleDays: null };
}

export const deletionHandlers: Deletions = { getDeletion };
