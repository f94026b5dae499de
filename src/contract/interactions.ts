import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { messageText } from "./limits.ts";
import { message } from "./messages.ts";
import { openEnum } from "./open-enum.ts";
import { idempotency, maybeText, text, timestamp } from "./wire.ts";

/** The state of an interaction (§3.1). */
export const interactionState = openEnum(["ASYNC_PROCESSING", "COMPLETED", "FAILED"]);

/**
 * §2.1. While `ASYNC_PROCESSING` only the ids, state and created_ts; `COMPLETED` adds messages and response; `FAILED`
 * adds messages and error_message.
 */
export const interaction = z.object({
  interaction_id: z.string(),
  state: interactionState,
  gummie_id: z.optional(z.string()),
  created_ts: z.optional(timestamp),
  response: z.nullish(z.string()),
  messages: z.nullish(z.array(message)),
  /** At most 4,096 characters. */
  error_message: z.nullish(z.string()),
});
export type Interaction = z.output<typeof interaction>;

/**
 * §4.1: start a conversation, or continue one by its id. Needs one of `user_id` and `project_id`. A conversation keeps
 * whose it is: a continuation may leave `project_id` out, and one that names another team is refused.
 */
export const startAgent = endpoint({
  name: "startAgent",
  tier: "core",
  section: "§4.1",
  summary: "Start or continue a conversation with an agent",
  method: "POST",
  path: "/start_agent",
  kind: "write",
  headers: idempotency,
  body: z.object({
    gummie_id: text,
    message: messageText,
    user_id: maybeText,
    project_id: maybeText,
    interaction_id: maybeText,
  }),
  missing: { gummie_id: "gummie_id_required", message: "message_required" },
  response: z.object({ interaction_id: z.string(), status: openEnum(["processing"]) }),
  status: 202,
  errors: [
    "gummie_id_required",
    "message_required",
    "owner_required",
    "unauthorized_key",
    "unauthorized_gummie_access",
    "unauthorized_interaction_access",
    "gummie_not_found",
    "interaction_not_found",
    "interaction_gummie_mismatch",
    "project_id_mismatch",
    "interaction_not_in_terminal_state",
    "idempotency_key_reused",
    "insufficient_storage",
  ],
  errorShape: "flat",
});

/** §4.2. Needs one of `user_id` and `project_id`. */
export const agentStatus = endpoint({
  name: "agentStatus",
  tier: "core",
  section: "§4.2",
  summary: "Get the state of a conversation",
  method: "GET",
  path: "/agent_status/{interaction_id}",
  kind: "read",
  params: z.object({ interaction_id: text }),
  query: z.object({ user_id: z.optional(text), project_id: z.optional(text) }),
  response: interaction,
  conditional: true,
  errors: ["owner_required", "interaction_not_found"],
  errorShape: "flat",
});
