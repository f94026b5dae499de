import { useMutationState } from "@tanstack/react-query";
import { useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { conversationMutations, type TurnToStop } from "../../areas/conversations/mutations.ts";
import { runMutations } from "../../areas/runs/mutations.ts";
import { useApi } from "../../lib/api.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../lib/history/known-run.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { useStore } from "../../lib/useStore.ts";
import { type Circumstances, EndTeller } from "./end-teller.ts";
import { notify } from "./notifications.ts";
import { showTabBadge, tabsOf } from "./tabs.ts";
import { conversationKey, runKey, useWatchedThings, type WatchedThing } from "./useWatchedThings.ts";

type Props = { runs: readonly KnownRun[]; conversations: readonly KnownConversation[] };

/**
 * Tells when what is watched ends while nobody looks at it: a notification, and a number at the title of the tab. Only
 * looks at what the sidebar polls; draws nothing itself.
 */
export default function WatchedEnds({ runs, conversations }: Props) {
  const things = useWatchedThings(runs, conversations);
  const circumstances = useCircumstances();
  const isHidden = useIsHidden();
  const teller = useTeller();
  const unseen = useStore(teller.unseen);

  const facts = things.map(({ key, began, state, receivedAt }) => [key, began, state, receivedAt].join());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are made anew each time, and no news
  useEffect(() => {
    // Before what was read: an end that the person has before them is not told.
    teller.setCircumstances(circumstances);
    teller.read(things);
    // What the sidebar no longer lists is no longer counted, once the person is back.
    const listed = new Set(things.map(({ key }) => key));
    if (!isHidden) teller.look([...teller.unseen.get()].filter((key) => !listed.has(key)));
  }, [teller, circumstances, isHidden, facts.join("\n")]);

  useOtherTabs(teller, circumstances.viewing);
  const count = unseen.size;
  useEffect(() => (count > 0 ? showTabBadge(document, count) : undefined), [count]);
  return null;
}

/** One teller for as long as something is watched. */
function useTeller(): EndTeller<WatchedThing> {
  const api = useApi();
  const router = useRouter();
  return useMemo(() => {
    const open = ({ id, agentId }: WatchedThing) => {
      if (agentId === null) return router.navigate({ to: "/runs/$runId", params: { runId: id } });
      const params = { agentId, interactionId: id };
      return router.navigate({ to: "/agents/$agentId/conversations/$interactionId", params });
    };
    return new EndTeller<WatchedThing>({
      tabs: tabsOf(api.id, "locks" in navigator ? navigator.locks : undefined, api.clock.now),
      now: api.clock.now,
      openedAt: performance.timeOrigin,
      show: (ended) =>
        notify({ title: ended.title, body: ended.body, tag: ended.key }, () => void open(ended)),
    });
  }, [api, router]);
}

/** What is looked at in one tab is no news in the others. Closes the teller with the frame. */
function useOtherTabs(teller: EndTeller<WatchedThing>, viewing: ReadonlySet<string>): void {
  const { id } = useApi();
  useEffect(() => {
    const channel = openChannel();
    channel?.addEventListener("message", ({ data }) => {
      const { of, looked } = (data ?? {}) as { of?: unknown; looked?: unknown };
      if (of === id && Array.isArray(looked)) teller.look(looked);
    });
    return () => {
      channel?.close();
      teller.close();
    };
  }, [id, teller]);
  useEffect(() => {
    if (viewing.size === 0) return;
    const channel = openChannel();
    channel?.postMessage({ of: id, looked: [...viewing] });
    channel?.close();
  }, [id, viewing]);
}

function openChannel(): BroadcastChannel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("wheelhouse-ends");
}

/** What decides whether an end is told: the setting, what the person has before them, what they asked for themselves. */
function useCircumstances(): Circumstances {
  const isOn = usePreferences().ends === "on";
  const viewing = useViewing();
  const killed = useKilled();
  return useMemo(() => ({ isOn, viewing, killed }), [isOn, viewing, killed]);
}

/** Whether nobody can see this tab. */
function useIsHidden(): boolean {
  const { situation } = useApi().polling;
  return useStore(situation).hidden;
}

/** The page of a run or conversation, or the run beside the list. */
function useViewing(): ReadonlySet<string> {
  const { runId, interactionId } = useParams({ strict: false });
  const { run } = useSearch({ strict: false });
  const isHidden = useIsHidden();
  return useMemo(() => {
    const runs = [runId, run].flatMap((id) => (id === undefined ? [] : runKey(String(id))));
    const conversations = interactionId === undefined ? [] : [conversationKey(interactionId)];
    return new Set(isHidden ? [] : [...runs, ...conversations]);
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
      key: conversationKey((state.variables as TurnToStop | undefined)?.interactionId ?? ""),
      isRefused: state.status === "error",
    }),
  });
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const next = new Set(known);
  for (const { key, isRefused } of [...kills, ...stops]) {
    if (isRefused) next.delete(key);
    else next.add(key);
  }
  if ([...next].join() !== [...known].join()) setKnown(next);
  return known;
}
