import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { newId } from "../../api/ids.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { interactionMutations } from "./queries.ts";

interface Sending {
  readonly agentId: string;
  readonly agentName: string | null;
  readonly message: string;
  readonly interactionId: string | null;
  readonly projectId: string | null;
}

/**
 * Sends a message once: a second click while it is on its way does nothing (C-38), and another try of the same text is
 * the same request, so that a lost answer makes no second turn.
 */
export function useSend() {
  const api = useApi();
  const mutation = useMutation(interactionMutations.send(api));
  const isOnItsWay = useRef(false);
  const tried = useRef<{ readonly text: string; readonly key: string } | null>(null);
  /** @returns the conversation's id; null where nothing was sent. `key`: of a message that has one already. */
  const send = async (sending: Sending, key?: string): Promise<string | null> => {
    if (isOnItsWay.current) return null;
    isOnItsWay.current = true;
    const text = `${sending.interactionId ?? ""} ${sending.message}`;
    const used = key ?? (tried.current?.text === text ? tried.current.key : newId());
    tried.current = { text, key: used };
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
