import { useMemo, useSyncExternalStore } from "react";
import { interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import { useApi } from "../api.tsx";
import type { KnownConversation } from "../history/known-conversation.ts";
import type { KnownRun } from "../history/known-run.ts";
import { isMoving } from "../run-state.ts";
import { useNow } from "../time/clock.tsx";

/** At most so many are followed, each with a poll of its own. */
const most = 6;
const minute = 60_000;
/** What ended stays for ten minutes, so that its end is noticed. */
export const stays = 10 * minute;
const day = 24 * 60 * minute;

/** Runs that this person started here, or watches by hand, and that still move, or ended a moment ago. */
export function useWatched(): readonly KnownRun[] {
  const { history } = useApi();
  const known = useSyncExternalStore(history.runs.subscribe, history.runs.get);
  const now = useNow(true, minute);
  return useMemo(
    () => byHandFirst(known.filter((run) => isWatchedRun(run, now))).slice(0, most),
    [known, now],
  );
}

/** Whether the sidebar follows a run. */
export function isWatchedRun(run: KnownRun, now: number): boolean {
  const { runId, watched, provenance, last, knownAt } = run;
  if (runId === null || !(watched ?? provenance === "started-here")) return false;
  if (last !== null && !isMoving(last.state)) return now - last.seenAt < stays;
  return watched === true || now - knownAt < day;
}

/** What was asked for by hand gives way last. */
export const byHandFirst = <T extends { readonly watched?: boolean | undefined }>(list: T[]): T[] =>
  list.sort((a, b) => Number(b.watched === true) - Number(a.watched === true));

/** At most so many are followed, each with a poll of its own. */
const mostConversations = 4;

/** Conversations that this person began here, or watches by hand, and in which the agent works, or ended a moment ago. */
export function useWatchedConversations(): readonly KnownConversation[] {
  const { conversations } = useApi();
  const known = useSyncExternalStore(conversations.list.subscribe, conversations.list.get);
  const now = useNow(true, minute);
  return useMemo(
    () => byHandFirst(known.filter((one) => isWatchedConversation(one, now))).slice(0, mostConversations),
    [known, now],
  );
}

/** Whether the sidebar follows a conversation. */
export function isWatchedConversation(one: KnownConversation, now: number): boolean {
  const { interactionId, agentId, provenance, asked, last, watched } = one;
  if (interactionId === null || agentId === null) return false;
  if (!(watched ?? (provenance === "started-here" && asked !== null))) return false;
  const state = last?.state ?? null;
  const hasEnded = isTerminal(interactionStates, state) || isTerminal(sessionStates, state);
  if (hasEnded) return now - (last?.seenAt ?? 0) < stays;
  return watched === true || now - (asked?.at ?? 0) < day;
}
