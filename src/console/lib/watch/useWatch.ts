import { useApi } from "../api.tsx";
import { useNow } from "../time/clock.tsx";
import { useStore } from "../useStore.ts";
import { isWatchedConversation, isWatchedRun } from "./watched.ts";

const minute = 60_000;

/** Whether something stands under "Watching" in the sidebar, and the way to begin or end that by hand. */
export interface Watch {
  readonly isWatched: boolean;
  readonly toggle: () => void;
}

/** A run, for whoever shows it. */
export function useRunWatch(runId: string): Watch {
  const { history } = useApi();
  const run = useStore(history.runs, (runs) => runs.find((one) => one.runId === runId));
  const now = useNow(true, minute);
  const isWatched = run !== undefined && isWatchedRun(run, now);
  return { isWatched, toggle: () => void history.watch(runId, !isWatched) };
}

/** A conversation, for whoever shows it. */
export function useConversationWatch(interactionId: string): Watch {
  const { conversations } = useApi();
  const one = useStore(conversations.list, () => conversations.find(interactionId));
  const now = useNow(true, minute);
  const isWatched = one !== undefined && isWatchedConversation(one, now);
  return { isWatched, toggle: () => void conversations.watch(interactionId, !isWatched) };
}
