import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { idempotency, text } from "./wire.ts";

/**
 * §4.3. The owner fields and `saved_item_id` come from the query, else from the body (public clients send them there):
 * so none is required here, and the handler answers `invalid_parameter` naming the one that is missing.
 * The body is data: any object passes untouched.
 */
export const startPipeline = endpoint({
  name: "startPipeline",
  tier: "core",
  section: "§4.3",
  summary: "Start a pipeline run",
  method: "POST",
  path: "/start_pipeline",
  kind: "write",
  queryKey: true,
  query: z.object({
    user_id: z.optional(text),
    saved_item_id: z.optional(text),
    project_id: z.optional(text),
    /** Instead of the header (§5.7). Read by authentication, never by the handler. */
    api_key: z.optional(text),
  }),
  headers: idempotency,
  body: z.looseObject({}),
  response: z.object({
    run_id: z.string(),
    saved_item_id: z.string(),
    /** Opens the run in the console. */
    url: z.string(),
    workbook_id: z.optional(z.nullable(z.string())),
  }),
  errors: ["owner_required", "not_found", "idempotency_key_reused", "insufficient_storage"],
  errorShape: "flat",
});
