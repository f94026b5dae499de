import { useMutationState } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { conversationMutations, type TurnToStop } from "../../areas/conversations/mutations.ts";
import { runMutations } from "../../areas/runs/mutations.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import type { Circumstances } from "./end-teller.ts";
import { runKey, talkKey } from "./useWatchedThings.ts";

/** What decides whether an end is told: the setting, what the person has before them, what they asked for themselves. */
export function useCircumstances(): Circumstances {
  const isOn = usePreferences().ends === "on";
  const viewing = useViewing();
  const killed = useKilled();
  return useMemo(() => ({ isOn, viewing, killed }), [isOn, viewing, killed]);
}

/** Whether nobody can see this tab. */
export function useIsHidden(): boolean {
  const { situation } = useApi().polling;
  return useSyncExternalStore(situation.subscribe, situation.get).hidden;
}

/** The page of a run or conversation, or the run beside the list. */
function useViewing(): ReadonlySet<string> {
  const { runId, interactionId } = useParams({ strict: false });
  const { run } = useSearch({ strict: false });
  const isHidden = useIsHidden();
  return useMemo(() => {
    const runs = [runId, run].flatMap((id) => (id === undefined ? [] : runKey(String(id))));
    const talks = interactionId === undefined ? [] : [talkKey(interactionId)];
    return new Set(isHidden ? [] : [...runs, ...talks]);
  }, [runId, interactionId, run, isHidden]);
}

/** The runs that the person asked to be killed, and the turns to be stopped, also long after the answer. */
function useKilled(): ReadonlySet<string> {
  const api = useApi();
  const kills = useMutationState({
    filters: { mutationKey: runMutations.kill(api).mutationKey ?? [], exact: true },
    select: ({ state }) => ({ key: runKey(String(state.variables)), isRefused: state.status === "error" }),
  });
  const stops = useMutationState({
    filters: { mutationKey: conversationMutations.stop(api).mutationKey ?? [], exact: true },
    select: ({ state }) => ({
      key: talkKey((state.variables as TurnToStop | undefined)?.interactionId ?? ""),
      isRefused: state.status === "error",
    }),
  });
  const known = useRef<ReadonlySet<string>>(new Set());
  const next = new Set(known.current);
  for (const { key, isRefused } of [...kills, ...stops]) {
    if (isRefused) next.delete(key);
    else next.add(key);
  }
  const isSame = [...next].join() === [...known.current].join();
  const killed = isSame ? known.current : next;
  useEffect(() => {
    known.current = killed;
  });
  return killed;
}
