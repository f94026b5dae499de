import { mutationOptions } from "@tanstack/react-query";
import { stopTurn } from "../../../contract/conversation-acts.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { type Api, ownerOf } from "../api.ts";
import { call } from "../client.ts";
import { keyOf } from "../read.ts";

/** A turn that somebody wants to end. */
export interface TurnToStop {
  readonly interactionId: string;
  /** The message that it answers, so that a late stop does not end the turn after it; null where that is not known. */
  readonly messageId: string | null;
}

/** What is done to conversations apart from sending messages, which the first page needs without them. */
export const conversationMutations = {
  /** Asks to stop a turn (own, `can("turn_stop")`). `isStopped` is false where it had ended already. */
  stop: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, stopTurn)],
      mutationFn: async ({ interactionId, messageId }: TurnToStop): Promise<{ isStopped: boolean }> => {
        const { data } = await call(api, stopTurn, {
          params: { interaction_id: interactionId },
          body: { ...ownerOf(api), ...(messageId !== null && { message_id: messageId }) },
        });
        return { isStopped: data.stopped === true };
      },
      onSettled: async (_result, _error, _turn, _made, { client }) => {
        api.polling.acted();
        await Promise.all(
          [agentStatus, getSession, listSessions].map((endpoint) =>
            client.invalidateQueries({ queryKey: keyOf(api, endpoint) }),
          ),
        );
      },
    }),
};
