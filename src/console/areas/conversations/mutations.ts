import { mutationOptions, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import {
  copyConversation,
  deleteConversation,
  restoreConversation,
  stopTurn,
} from "../../../contract/conversation-actions.ts";
import type { Endpoint } from "../../../contract/define.ts";
import { getEvaluationMetrics, listEvaluationResults } from "../../../contract/evaluations.ts";
import { agentStatus, startAgent } from "../../../contract/interactions.ts";
import { keepConversation } from "../../../contract/retention.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { call } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { describeError, isSurelyNot, saidBy } from "../../api/describe-error.ts";
import { ConsoleError } from "../../api/errors.ts";
import { newId } from "../../api/ids.ts";
import { keyOf } from "../../api/read.ts";
import { readAgain } from "../../api/read-again.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import type { KeepChange } from "../../lib/keep/useKeep.ts";
import { interactionQueries } from "./queries.ts";

/** A message to an agent. */
interface MessageToSend {
  /** Unguessable, and the same for each try of this message: the `Idempotency-Key`. */
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly message: string;
  /** The conversation that it continues; null starts a new one. */
  readonly interactionId: string | null;
  /** The team it belongs to; null: only to the person, or, where it goes on, not known here: the service knows. */
  readonly projectId: string | null;
}

/** A turn that somebody wants to end. */
export interface TurnToStop {
  readonly interactionId: string;
  /** The message that it answers, so that a late stop does not end the turn after it; null where that is not known. */
  readonly messageId: string | null;
}

/** From where a conversation goes on as a copy, and with what. */
interface CopyToStart {
  /** Unguessable, and the same for each try: the `Idempotency-Key`. */
  readonly key: string;
  readonly interactionId: string;
  /** The message in whose place it goes on. */
  readonly messageId: string;
  readonly message: string;
}

/** All that is done to conversations. */
export const conversationMutations = {
  /**
   * Sends a message (§4.1); the result is the conversation's id. A new conversation is in the history before the call
   * goes out. A 409 means that the agent still works on it.
   */
  send: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, startAgent)],
      mutationFn: async (sending: MessageToSend): Promise<string> => {
        const { key, agentId, message, interactionId, projectId } = sending;
        const isNew = interactionId === null;
        if (isNew) await api.conversations.begin({ ...sending, id: key });
        else await api.conversations.asked(interactionId, message);
        try {
          const { user_id, project_id } = ownerOf(api);
          // §4.1: one of the two is required. A team's key without a user continues its own team's conversations alone.
          const team = projectId ?? (isNew || user_id ? null : project_id);
          const body = {
            gummie_id: agentId,
            message,
            ...(user_id ? { user_id } : {}),
            ...(team ? { project_id: team } : {}),
            ...(isNew ? {} : { interaction_id: interactionId }),
          };
          const { data, requestId } = await call(api, startAgent, { body }, { idempotencyKey: key });
          if (!data.interaction_id) {
            throw new ConsoleError({ kind: "contract", path: "interaction_id", requestId }, startAgent.name);
          }
          if (isNew) await api.conversations.started(key, data.interaction_id);
          return data.interaction_id;
        } catch (error) {
          if (isNew) await api.conversations.failed(key, isSurelyNot(error), saidBy(error));
          throw error;
        }
      },
      // Also after a refusal: a 409 means that there is somebody else's turn to show.
      onSettled: (_result, _error, _message, _made, { client }) => readAgain(api, client, turns),
    }),

  /** Goes on as a copy (own, `can("conversation_copy")`); the result is the copy's id. */
  copy: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, copyConversation)],
      mutationFn: async ({ key, interactionId, messageId, message }: CopyToStart): Promise<string> => {
        const { data, requestId } = await call(
          api,
          copyConversation,
          { params: { interaction_id: interactionId }, body: { before_message_id: messageId, message } },
          { idempotencyKey: key },
        );
        if (data.interaction_id) return data.interaction_id;
        throw new ConsoleError(
          { kind: "contract", path: "interaction_id", requestId },
          copyConversation.name,
        );
      },
      onSuccess: (_id, _sent, _made, { client }) => readAgain(api, client, [getSession, listSessions]),
    }),

  /** Asks to stop a turn (own, `can("turn_stop")`). It may have ended already. */
  stop: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, stopTurn)],
      mutationFn: async ({ interactionId, messageId }: TurnToStop): Promise<void> => {
        await call(api, stopTurn, {
          params: { interaction_id: interactionId },
          body: { ...ownerOf(api), ...(messageId !== null && { message_id: messageId }) },
        });
      },
      onSettled: (_result, _error, _turn, _made, { client }) => readAgain(api, client, turns),
    }),

  /** Deletes a conversation (own, `can("conversation_delete")`). */
  remove: (api: Api) => actOn(api, deleteConversation, lists),

  /** Brings a deleted conversation back: for a day. */
  restore: (api: Api) => actOn(api, restoreConversation, [agentStatus, getSession, ...lists]),

  /** Keeps a conversation from retention, or no longer (own, `can("retention")`). */
  keep: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, keepConversation)],
      mutationFn: async ({ id, kept }: KeepChange): Promise<boolean> => {
        const { data } = await call(api, keepConversation, {
          params: { interaction_id: id },
          body: { kept },
        });
        return data.kept ?? kept;
      },
      onSuccess: (kept, { id }, _made, { client }) => {
        const { queryKey } = interactionQueries.session(api, id);
        client.setQueryData(queryKey, (old) =>
          old?.data.session ? { ...old, data: { ...old.data, session: { ...old.data.session, kept } } } : old,
        );
        // A read that began before the answer must not take it back.
        void client.invalidateQueries({ queryKey });
      },
    }),
};

/** An act on a conversation by its id alone, and what is read anew after it. */
const actOn = (
  api: Api,
  endpoint: typeof deleteConversation | typeof restoreConversation,
  reread: readonly Endpoint[],
) =>
  mutationOptions({
    mutationKey: [...keyOf(api, endpoint)],
    mutationFn: async (interactionId: string): Promise<void> => {
      await call(api, endpoint, { params: { interaction_id: interactionId } });
    },
    onSuccess: (_result, _interactionId, _made, { client }) => readAgain(api, client, reread),
  });

/** What tells how a turn stands. */
const turns: readonly Endpoint[] = [agentStatus, getSession, listSessions];
/** What tells of more conversations than one. */
const lists: readonly Endpoint[] = [listSessions, listEvaluationResults, getEvaluationMetrics];

/**
 * Sends a message once: a second click while it is on its way does nothing (C-38), and another try of the same text,
 * for the same owner, is the same request, so that a lost answer makes no second turn.
 */
export function useSend() {
  const api = useApi();
  const mutation = useMutation(conversationMutations.send(api));
  const isOnItsWay = useRef(false);
  const tried = useRef<{ readonly what: string; readonly key: string } | null>(null);
  /** @returns the conversation's id; null where nothing was sent. `key`: of a message that has one already. */
  const send = async (sending: Omit<MessageToSend, "key">, key?: string): Promise<string | null> => {
    if (isOnItsWay.current) return null;
    isOnItsWay.current = true;
    const { agentId, interactionId, projectId, message } = sending;
    const what = JSON.stringify([agentId, interactionId, projectId, message]);
    const used = key ?? (tried.current?.what === what ? tried.current.key : newId());
    tried.current = { what, key: used };
    try {
      const id = await mutation.mutateAsync({ ...sending, key: used });
      tried.current = null;
      return id;
    } finally {
      isOnItsWay.current = false;
    }
  };
  return { send, isSending: mutation.isPending, error: mutation.error, reset: mutation.reset };
}

/** Why a message was not taken, in words that can be kept with it. */
export function sendProblem(error: unknown): string {
  const { what, means, next } = describeError(error);
  return `${what} ${means} ${next}`.trim();
}

/** How the turn that goes on now can be stopped. */
export interface StopTurn {
  /** Asks for it, once. */
  readonly ask: () => void;
  /** It was asked for, and no read has shown the end yet. */
  readonly isRequested: boolean;
  /** Why the service did not take it; null where it did, or was not asked. */
  readonly error: Error | null;
}

/** The way to stop a conversation's turn; null where nothing goes on, or the service cannot (`can("turn_stop")`). */
export function useStopTurn(
  interactionId: string,
  { isMoving, askedId }: { readonly isMoving: boolean; readonly askedId: string | null },
): StopTurn | null {
  const client = useQueryClient();
  const options = conversationMutations.stop(useApi());
  const mutationKey = options.mutationKey ?? [];
  const canStop = useCan("turn_stop");
  const stop = useMutation(options);
  // Of all pages, so that it holds when this one is left and opened again.
  const asked = useMutationState({
    filters: { mutationKey, exact: true },
    select: ({ state }) => (state.status === "error" ? null : (state.variables as TurnToStop | undefined)),
  });
  if (!isMoving || !canStop) return null;
  const isSame = (turn: TurnToStop | null | undefined) =>
    turn?.interactionId === interactionId && turn.messageId === askedId;
  const isRequested = asked.some(isSame);
  return {
    ask: () => {
      // Asked of the client, which knows of a click before the page is drawn again.
      const isOnItsWay = client.isMutating({
        mutationKey,
        predicate: ({ state }) => isSame(state.variables as TurnToStop | undefined),
      });
      if (!isRequested && isOnItsWay === 0) stop.mutate({ interactionId, messageId: askedId });
    },
    isRequested,
    error: isSame(stop.variables) ? stop.error : null,
  };
}
