import { mutationOptions } from "@tanstack/react-query";
import { getArtifactAccess } from "../../../contract/access.ts";
import { deleteArtifact, restoreArtifact } from "../../../contract/artifact-deletion.ts";
import { listAgentArtifacts, listArtifacts } from "../../../contract/artifacts.ts";
import type { Endpoint } from "../../../contract/define.ts";
import { countInbox, listInbox } from "../../../contract/inbox.ts";
import { getSource, getSourceEstimate, listSources, searchKnowledge } from "../../../contract/knowledge.ts";
import { deleteSource, restoreSource } from "../../../contract/source-deletion.ts";
import { call } from "../../api/client.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../api.tsx";

/** Until when something that was deleted can be restored, in ms since 1970; null where the service did not say. */
export type RestorableUntil = number | null;

/** Two inverse acts. `remove` tells how long `restore` is possible. */
export interface DeletionMutations {
  readonly remove: ReturnType<typeof mutationOf<RestorableUntil>>;
  readonly restore: ReturnType<typeof mutationOf<unknown>>;
}

/** Deletes artifacts and takes that back (own, `can("artifact_deletion")`). */
export const artifactDeletion = (api: Api): DeletionMutations => {
  const reread = [listArtifacts, listAgentArtifacts, getArtifactAccess];
  const given = (id: string) => ({ params: { artifact_id: id } });
  return {
    remove: mutationOf(api, reread, async (id) => {
      const { data } = await call(api, deleteArtifact, given(id));
      return untilOf(data.restorable_until);
    }),
    restore: mutationOf<unknown>(api, reread, (id) => call(api, restoreArtifact, given(id))),
  };
};

/** Deletes knowledge sources and takes that back (own, `can("knowledge_deletion")`). */
export const sourceDeletion = (api: Api): DeletionMutations => {
  const reread = [listSources, getSource, getSourceEstimate, searchKnowledge, listInbox, countInbox];
  const given = (id: string) => ({ params: { source_id: id } });
  return {
    remove: mutationOf(api, reread, async (id) => {
      const { data } = await call(api, deleteSource, given(id));
      return untilOf(data.restorable_until);
    }),
    restore: mutationOf<unknown>(api, reread, (id) => call(api, restoreSource, given(id))),
  };
};

function mutationOf<R>(api: Api, reread: readonly Endpoint[], act: (id: string) => Promise<R>) {
  return mutationOptions({
    mutationFn: act,
    // Also after a refusal: somebody else may have been first.
    // Nobody waits for the lists: the page of what is gone is left before they say so.
    onSettled: (_answer: R | undefined, _error: Error | null, _id: string, _made, { client }) => {
      api.polling.acted();
      for (const endpoint of reread) void client.invalidateQueries({ queryKey: keyOf(api, endpoint) });
    },
  });
}

function untilOf(at: string | null | undefined): RestorableUntil {
  const ms = Date.parse(at ?? "");
  return Number.isNaN(ms) ? null : ms;
}
