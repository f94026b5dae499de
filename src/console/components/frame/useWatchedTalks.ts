import { useMemo, useSyncExternalStore } from "react";
import { interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import type { KnownConversation } from "../../history/known-conversation.ts";
import { useApi } from "../api-context.tsx";

/** At most so many are followed, each with a poll of its own. */
const most = 4;
/** One whose turn ended stays for ten minutes, so that its end is noticed. */
const stays = 600_000;
const day = 24 * 3_600_000;

/** Conversations that this person began here and in which the agent works, or ended a moment ago. */
export function useWatchedTalks(): readonly KnownConversation[] {
  const { conversations, clock } = useApi();
  const known = useSyncExternalStore(conversations.list.subscribe, conversations.list.get);
  return useMemo(() => {
    const now = clock.now();
    return known
      .filter(({ interactionId, agentId, provenance, asked, last }) => {
        if (interactionId === null || agentId === null || provenance !== "started-here" || !asked)
          return false;
        const state = last?.state ?? null;
        const hasEnded = isTerminal(interactionStates, state) || isTerminal(sessionStates, state);
        return hasEnded ? now - (last?.seenAt ?? 0) < stays : now - asked.at < day;
      })
      .slice(0, most);
  }, [known, clock]);
}
