import { useQueries } from "@tanstack/react-query";
import { sessionStateOf } from "../../../contract/session-state.ts";
import { interactionQueries } from "../../areas/conversations/queries.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";

/** What was last read of a conversation: its state, and when this answer first came, in ms since 1970. */
export interface ConversationRead {
  readonly state: string | null;
  readonly receivedAt: number;
}

/**
 * Asks for each conversation what its own page asks for, so that both are one poll.
 * @param isAsking false: only looks at what others ask for
 * @returns null for one that was not read yet
 */
export function useConversationReads(
  conversations: readonly KnownConversation[],
  isAsking: boolean,
): (ConversationRead | null)[] {
  const api = useApi();
  const isLive = useCan("live_messages");
  const ids = conversations.map((conversation) => conversation.interactionId ?? "");
  const sessions = useQueries({
    queries: ids.map((id) => ({ ...interactionQueries.session(api, id), enabled: isAsking && isLive })),
  });
  const statuses = useQueries({
    queries: ids.map((id) => ({ ...interactionQueries.status(api, id), enabled: isAsking && !isLive })),
  });
  return ids.map((_, at) => {
    const session = sessions[at]?.data;
    const status = statuses[at]?.data;
    if (isLive) return session ? said(sessionStateOf(session.data.session), session) : null;
    return status ? said(status.data.state, status) : null;
  });
}

const said = (
  state: string | null | undefined,
  { receivedAt }: { receivedAt: number },
): ConversationRead => ({
  state: state ?? null,
  receivedAt,
});
