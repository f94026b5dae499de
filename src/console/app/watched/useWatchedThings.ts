import { useQueries } from "@tanstack/react-query";
import { describeState, interactionStates, runStates, sessionStates } from "../../../contract/states.ts";
import { runQueries } from "../../areas/runs/queries.ts";
import { useApi } from "../../lib/api.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../lib/history/known-run.ts";
import { findSecret } from "../../lib/secret-warning/find-secret.ts";
import { shownName } from "../../lib/shownName.ts";
import { formatDuration, parseTime } from "../../lib/time/format.ts";
import { useConversationReads } from "../frame/useConversationReads.ts";
import type { Watched } from "./end-teller.ts";

/** A watched thing with the words for its end, and the way to it. */
export interface WatchedThing extends Watched {
  readonly id: string;
  /** The agent of a conversation; null for a run. */
  readonly agentId: string | null;
  readonly title: string;
  readonly body: string;
}

/** All that is watched, as others read it: nothing is asked for from here. */
export function useWatchedThings(
  runs: readonly KnownRun[],
  conversations: readonly KnownConversation[],
): readonly WatchedThing[] {
  const api = useApi();
  const runReads = useQueries({
    queries: runs.map((run) => ({
      ...runQueries.run(api, run.runId ?? "", { inBackground: true }),
      enabled: false,
    })),
  });
  const conversationReads = useConversationReads(conversations, false);
  return [
    ...runs.map((run, at): WatchedThing => {
      const read = runReads[at]?.data;
      const { word, terminal } = describeState(runStates, read?.data.state);
      const began = parseTime(read?.data.created_ts);
      const ended = parseTime(read?.data.finished_ts);
      return {
        key: runKey(run.runId ?? ""),
        id: run.runId ?? "",
        agentId: null,
        began: run.knownAt,
        state: sightOf(read, terminal),
        receivedAt: read?.receivedAt ?? 0,
        isKilled: read?.data.state === "TERMINATED",
        title: titleOf(run.savedItemName ?? run.savedItemId ?? run.runId ?? "", word),
        body: began !== null && ended !== null ? `After ${formatDuration(ended - began)}` : "",
      };
    }),
    ...conversations.map((conversation, at): WatchedThing => {
      const read = conversationReads[at] ?? null;
      const raw = read?.state ?? "";
      const machine = Object.hasOwn(sessionStates, raw) ? sessionStates : interactionStates;
      const { word, terminal } = describeState(machine, raw);
      return {
        key: conversationKey(conversation.interactionId ?? ""),
        id: conversation.interactionId ?? "",
        agentId: conversation.agentId,
        began: conversation.asked?.at ?? conversation.knownAt,
        state: sightOf(read, terminal),
        receivedAt: read?.receivedAt ?? 0,
        isKilled: raw === "stopped",
        title: titleOf(conversation.agentName ?? "Agent", word),
        body: harmless(conversation.name ?? ""),
      };
    }),
  ];
}

/** The name under which a run is watched. */
export const runKey = (runId: string) => `run ${runId}`;
/** The name under which a conversation is watched. */
export const conversationKey = (interactionId: string) => `conversation ${interactionId}`;

const sightOf = (read: unknown, isEnded: boolean): Watched["state"] =>
  read == null ? "unread" : isEnded ? "ended" : "moving";

const longest = 80;

const titleOf = (name: string, word: string) => `${harmless(name) || "Wheelhouse"} · ${word}`;

/** A text that may stand on a locked screen: short, nothing in it that hides, and nothing that looks like a key. */
function harmless(text: string): string {
  return findSecret(text) ? "" : shownName(text.slice(0, longest));
}
