import { useMemo } from "react";
import { interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import type { Store } from "../../api/store.ts";
import { useApi } from "../api.tsx";
import type { KnownConversation } from "../history/known-conversation.ts";
import type { Known, KnownRun } from "../history/known-run.ts";
import { isMoving } from "../run-state.ts";
import { useNow } from "../time/clock.tsx";
import { useStore } from "../useStore.ts";

/** At most so many are followed, each with a poll of its own. */
const most = 6;
const minute = 60_000;
/** What ended stays for ten minutes, so that its end is noticed. */
const stays = 10 * minute;
const day = 24 * 60 * minute;

/** Runs that this person started here, or watches by hand, and that still move, or ended a moment ago. */
export function useWatched(): readonly KnownRun[] {
  return useFollowed(useApi().history.runs, isWatchedRun, most);
}

/** Whether the sidebar follows a run. */
export function isWatchedRun(run: KnownRun, now: number): boolean {
  const { runId, watched, provenance, last, knownAt } = run;
  if (runId === null || !(watched ?? provenance === "started-here")) return false;
  if (last !== null && !isMoving(last.state)) return now - last.seenAt < stays;
  return watched === true || now - knownAt < day;
}

/** What was asked for by hand gives way last. */
const byHandFirst = <T extends Pick<Known, "watched">>(list: T[]): T[] =>
  list.sort((a, b) => Number(b.watched === true) - Number(a.watched === true));

/** At most so many are followed, each with a poll of its own. */
const mostConversations = 4;

/** Conversations that this person began here, or watches by hand, and in which the agent works, or ended a moment ago. */
export function useWatchedConversations(): readonly KnownConversation[] {
  return useFollowed(useApi().conversations.list, isWatchedConversation, mostConversations);
}

function useFollowed<T extends Known>(
  list: Store<readonly T[]>,
  isFollowed: (one: T, now: number) => boolean,
  atMost: number,
): readonly T[] {
  const known = useStore(list);
  const now = useNow(true, minute);
  return useMemo(
    () => byHandFirst(known.filter((one) => isFollowed(one, now))).slice(0, atMost),
    [known, now, isFollowed, atMost],
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
