import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { evaluation, evaluationResult } from "./evaluations.ts";
import { boundedText, maybeName, textLimits } from "./limits.ts";
import { rubricChange } from "./rubric.ts";
import { maybeText, nextCursor, page, text } from "./wire.ts";

const byId = z.object({ evaluation_id: text });

/** Own: one saved rubric, also one that is switched off. */
export const getEvaluation = endpoint({
  name: "getEvaluation",
  tier: "own",
  capability: "rubric_edit",
  section: "Own endpoints",
  summary: "Get an evaluation",
  method: "GET",
  path: "/evaluations/{evaluation_id}",
  kind: "read",
  params: byId,
  response: z.object({ evaluation }),
  errors: ["not_found"],
});

/**
 * Own: changes a saved rubric, for whoever may delete it; only what is sent changes, lists replace. One that is switched
 * off judges nothing more, also what waited for its turn, and keeps its results. With `updated_at`, as it was read, a
 * rubric that was changed since is left as it is: `evaluation_changed`.
 */
export const updateEvaluation = endpoint({
  name: "updateEvaluation",
  tier: "own",
  capability: "rubric_edit",
  section: "Own endpoints",
  summary: "Change an evaluation",
  method: "PATCH",
  path: "/evaluations/{evaluation_id}",
  kind: "write",
  params: byId,
  body: z.object({
    name: maybeName,
    /** Null clears it. */
    description: z.nullish(boundedText(textLimits.description)),
    enabled: z.nullish(z.boolean()),
    config: z.nullish(z.object(rubricChange)),
    updated_at: maybeText,
  }),
  response: z.object({ evaluation }),
  errors: ["not_found", "evaluation_changed"],
});

/** Own: what a saved rubric found, newest first: the results whose conversation the caller may read, of all agents. */
export const listRubricResults = endpoint({
  name: "listRubricResults",
  tier: "own",
  capability: "rubric_edit",
  section: "Own endpoints",
  summary: "List results of an evaluation",
  method: "GET",
  path: "/evaluations/{evaluation_id}/results",
  kind: "read",
  params: byId,
  query: z.object({ ...page }),
  response: z.object({
    evaluations: z.array(
      z.object({ ...evaluationResult.shape, agent_name: z.optional(z.nullable(z.string())) }),
    ),
    next_cursor: nextCursor,
  }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_cursor"],
});
