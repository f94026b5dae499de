import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { text, utcTime } from "./wire.ts";

const byId = z.object({ artifact_id: text });

/** What is said of something that was deleted and is kept for a while. */
export const deletion = z.object({
  deleted_at: utcTime,
  /** Until then it can be restored; after that it is gone for good. */
  restorable_until: utcTime,
});

/**
 * Own: deletes an artifact with all of its versions. Its links and shares end at once, and nobody and no agent finds it
 * any more. For its creator; one that was made for a team may also be deleted by the team's key, and by the members
 * where it has no creator. Whoever may open it and not delete it gets `forbidden`.
 */
export const deleteArtifact = endpoint({
  name: "deleteArtifact",
  tier: "own",
  capability: "artifact_deletion",
  section: "Own endpoints",
  summary: "Delete an artifact",
  method: "DELETE",
  path: "/artifacts/{artifact_id}",
  kind: "write",
  params: byId,
  response: z.object({ artifact_id: z.string(), ...deletion.shape }),
  errors: ["not_found"],
});

/**
 * Own: takes a deletion back, for whoever may delete it: the artifact is as it was, with its versions, shares and links.
 * `not_found` after `restorable_until`; `name_taken` where its conversation has written the name anew since.
 */
export const restoreArtifact = endpoint({
  name: "restoreArtifact",
  tier: "own",
  capability: "artifact_deletion",
  section: "Own endpoints",
  summary: "Restore a deleted artifact",
  method: "POST",
  path: "/artifacts/{artifact_id}/restore",
  kind: "write",
  params: byId,
  response: z.object({ artifact_id: z.string() }),
  errors: ["not_found", "name_taken"],
});
