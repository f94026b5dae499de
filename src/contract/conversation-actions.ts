import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { interactionState } from "./interactions.ts";
import { maybeText, text } from "./wire.ts";

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
