import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { conversationMutations, type TurnToStop } from "./mutations.ts";
import type { ConversationFacts } from "./useConversation.ts";

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
  { isMoving, askedId }: Pick<ConversationFacts, "isMoving" | "askedId">,
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
