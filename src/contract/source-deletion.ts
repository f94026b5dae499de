import * as z from "zod/mini";
import { deletion } from "./artifact-deletion.ts";
import { endpoint } from "./define.ts";
import { brainSource } from "./knowledge.ts";
import { text } from "./wire.ts";

const byId = z.object({ source_id: text });

/**
 * Own: deletes a knowledge source with its files, passages and estimate. Nobody and no agent finds anything of it any
 * more, and the run that reads its files, or waits for its approval, ends. What was charged stays charged.
 * For whoever may approve it.
 */
export const deleteSource = endpoint({
  name: "deleteSource",
  tier: "own",
  capability: "knowledge_deletion",
  section: "Own endpoints",
  summary: "Delete a knowledge source",
  method: "DELETE",
  path: "/brain/sources/{source_id}",
  kind: "write",
  params: byId,
  response: z.object({ source_id: z.string(), ...deletion.shape }),
  errors: ["not_found"],
});

/**
 * Own: takes a deletion back, for whoever may delete it: the source is as it was, and what was not read yet is read now.
 * `not_found` after `restorable_until`.
 */
export const restoreSource = endpoint({
  name: "restoreSource",
  tier: "own",
  capability: "knowledge_deletion",
  section: "Own endpoints",
  summary: "Restore a deleted knowledge source",
  method: "POST",
  path: "/brain/sources/{source_id}/restore",
  kind: "write",
  params: byId,
  response: z.object({ source: brainSource }),
  errors: ["not_found"],
});
