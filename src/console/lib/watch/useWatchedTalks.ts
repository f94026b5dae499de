import { useMemo, useSyncExternalStore } from "react";
import { interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import { useApi } from "../api/api-context.tsx";
import type { KnownConversation } from "../history/known-conversation.ts";
import { useNow } from "../time/clock.tsx";
import { byHandFirst, stays } from "./useWatched.ts";

/** At most so many are followed, each with a poll of its own. */
const most = 4;
const minute = 60_000;
const day = 24 * 60 * minute;

/** Conversations that this person began here, or watches by hand, and in which the agent works, or ended a moment ago. */
export function useWatchedTalks(): readonly KnownConversation[] {
  const { conversations } = useApi();
  const known = useSyncExternalStore(conversations.list.subscribe, conversations.list.get);
  const now = useNow(true, minute);
  return useMemo(
    () => byHandFirst(known.filter((one) => isWatchedTalk(one, now))).slice(0, most),
    [known, now],
  );
}

/** Whether the sidebar follows a conversation. */
export function isWatchedTalk(one: KnownConversation, now: number): boolean {
  const { interactionId, agentId, provenance, asked, last, watched } = one;
  if (interactionId === null || agentId === null) return false;
  if (!(watched ?? (provenance === "started-here" && asked !== null))) return false;
  const state = last?.state ?? null;
  const hasEnded = isTerminal(interactionStates, state) || isTerminal(sessionStates, state);
  if (hasEnded) return now - (last?.seenAt ?? 0) < stays;
  return watched === true || now - (asked?.at ?? 0) < day;
}
