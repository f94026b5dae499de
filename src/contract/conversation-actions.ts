import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { interactionState } from "./interactions.ts";
import { messageText } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { idempotency, maybeText, text } from "./wire.ts";

/**
 * Own: stops the turn that the agent is at. The conversation ends `FAILED` with `error_message` "Stopped by …", keeps what
 * was said and done so far, and can be continued. Where nothing is to be stopped any more it answers `stopped: false` and
 * changes nothing, so that it may be asked for twice. Who may continue the conversation may stop its turn.
 */
export const stopTurn = endpoint({
  name: "stopTurn",
  tier: "own",
  capability: "turn_stop",
  section: "Agents and interactions",
  summary: "Stop the agent's turn in a conversation",
  method: "POST",
  path: "/interactions/{interaction_id}/stop",
  kind: "write",
  params: z.object({ interaction_id: text }),
  body: z.object({
    /** In whose name a team key stops it: "Stopped by …". */
    user_id: maybeText,
    project_id: maybeText,
    /** The message that is being answered: a stop that comes late does not end the turn after it. */
    message_id: maybeText,
  }),
  response: z.object({
    interaction_id: z.string(),
    /** False where that turn had ended already. */
    stopped: z.boolean(),
    /** As it is now. */
    state: interactionState,
  }),
  errors: ["interaction_not_found", "unauthorized_interaction_access"],
});

/**
 * Own: deletes a conversation, for everybody who may read it: its messages and the results of its evaluations. The artifacts
 * and runs that came of it stay. It can be brought back for a day, then it is erased. While the agent works it is refused:
 * the turn is to be stopped first. Who may continue a conversation may delete it.
 */
export const deleteConversation = endpoint({
  name: "deleteConversation",
  tier: "own",
  capability: "conversation_delete",
  section: "Agents and interactions",
  summary: "Delete a conversation",
  method: "DELETE",
  path: "/interactions/{interaction_id}",
  kind: "write",
  params: z.object({ interaction_id: text }),
  response: "none",
  status: 204,
  errors: ["interaction_not_found", "unauthorized_interaction_access", "interaction_not_in_terminal_state"],
});

/** Own: brings a deleted conversation back, for a day. One that was not deleted stays as it is. */
export const restoreConversation = endpoint({
  name: "restoreConversation",
  tier: "own",
  capability: "conversation_delete",
  section: "Agents and interactions",
  summary: "Bring a deleted conversation back",
  method: "POST",
  path: "/interactions/{interaction_id}/restore",
  kind: "write",
  params: z.object({ interaction_id: text }),
  response: z.object({ interaction_id: z.string(), state: interactionState }),
  errors: ["interaction_not_found", "unauthorized_interaction_access"],
});

/**
 * Own: goes on from before one of the person's messages as a new conversation of the caller, which holds the turns before it
 * with their tool calls and files as they were: nothing of them is done again. Files get bytes of their own, so that either
 * conversation may change or lose its own. The original stays as it is, and may be processing. Whoever may continue the original
 * may do so, with its agent, for its team. `invalid_body` names `before_message_id` where it is no message of a person in it.
 */
export const copyConversation = endpoint({
  name: "copyConversation",
  tier: "own",
  capability: "conversation_copy",
  section: "Agents and interactions",
  summary: "Go on from before a message as a copy",
  method: "POST",
  path: "/interactions/{interaction_id}/copy",
  kind: "write",
  headers: idempotency,
  params: z.object({ interaction_id: text }),
  body: z.object({
    /** The message of a person in whose place the copy goes on. */
    before_message_id: text,
    /** What is said in its place. */
    message: messageText,
  }),
  response: z.object({ interaction_id: z.string(), status: openEnum(["processing"]) }),
  status: 202,
  errors: [
    "interaction_not_found",
    "unauthorized_interaction_access",
    "unauthorized_gummie_access",
    "gummie_not_found",
    "idempotency_key_reused",
    "insufficient_storage",
  ],
});
