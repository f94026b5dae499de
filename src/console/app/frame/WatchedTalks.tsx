import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { describeState, interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import { Unwatchable } from "../../lib/page/Unwatchable.tsx";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatAge } from "../../lib/time/format.ts";
import { SidebarWatched } from "../../ui/SidebarItem.tsx";
import { useTalkReads } from "./useTalkReads.ts";

/** The conversations that the person follows: whether the agent still works, and since when. */
export default function WatchedTalks({ talks }: { talks: readonly KnownConversation[] }) {
  const api = useApi();
  const states = useTalkReads(talks, true).map((read) => read?.state ?? null);
  const now = useNow();
  // What is read here is noted, so that a conversation that nobody has open is not followed for ever.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another state is news
  useEffect(() => {
    talks.forEach((talk, at) => {
      const state = states[at] ?? null;
      if (talk.interactionId === null || state === null || state === talk.last?.state) return;
      const createdTs = talk.last?.createdTs ?? null;
      void api.conversations.saw(talk.interactionId, { last: { state, createdTs } });
    });
  }, [states.join(" ")]);
  return talks.map((talk, at) => {
    const raw = states[at] ?? talk.last?.state ?? "ASYNC_PROCESSING";
    const machine = Object.hasOwn(sessionStates, raw) ? sessionStates : interactionStates;
    const { tone, word } = describeState(machine, raw);
    const since = talk.asked?.at ?? talk.knownAt;
    return (
      <Unwatchable
        key={talk.id}
        name={shownName(talk.name ?? talk.interactionId ?? "")}
        onEnd={() => void api.conversations.watch(talk.interactionId ?? "", false)}
      >
        <SidebarWatched
          tone={tone}
          word={word}
          age={`${formatAge(now - since)}${isTerminal(machine, raw) ? " ago" : ""}`}
        >
          <Link
            to="/agents/$agentId/conversations/$interactionId"
            params={{ agentId: talk.agentId ?? "", interactionId: talk.interactionId ?? "" }}
          >
            {[talk.agentName, talk.name]
              .filter(Boolean)
              .map((one) => shownName(one ?? ""))
              .join(" · ")}
          </Link>
        </SidebarWatched>
      </Unwatchable>
    );
  });
}
