import { mutationOptions, type QueryClient } from "@tanstack/react-query";
import { deleteConversation, restoreConversation, stopTurn } from "../../../contract/conversation-acts.ts";
import type { Endpoint } from "../../../contract/define.ts";
import { getEvaluationMetrics, listEvaluationResults } from "../../../contract/evaluations.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { call } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../../lib/api/api.ts";

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
      onSettled: (_result, _error, _turn, _made, { client }) => {
        api.polling.acted();
        return readAgain(api, client, [agentStatus, getSession, listSessions]);
      },
    }),

  /** Deletes a conversation (own, `can("conversation_delete")`). */
  remove: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, deleteConversation)],
      mutationFn: async (interactionId: string): Promise<void> => {
        await call(api, deleteConversation, { params: { interaction_id: interactionId } });
      },
      onSuccess: (_result, _interactionId, _made, { client }) => {
        api.polling.acted();
        return readAgain(api, client, listing);
      },
    }),

  /** Brings a deleted conversation back: for a day. */
  restore: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, restoreConversation)],
      mutationFn: async (interactionId: string): Promise<void> => {
        await call(api, restoreConversation, { params: { interaction_id: interactionId } });
      },
      onSuccess: (_result, _interactionId, _made, { client }) => {
        api.polling.acted();
        return readAgain(api, client, [agentStatus, getSession, ...listing]);
      },
    }),
};

/** What tells of more conversations than one. */
const listing: readonly Endpoint[] = [listSessions, listEvaluationResults, getEvaluationMetrics];

async function readAgain(api: Api, client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  await Promise.all(
    endpoints.map((endpoint) => client.invalidateQueries({ queryKey: keyOf(api, endpoint) })),
  );
}
