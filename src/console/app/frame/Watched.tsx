import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import X from "lucide-react/icons/x";
import { type ReactNode, useEffect, useState } from "react";
import {
  describeState,
  interactionStates,
  isTerminal,
  runStates,
  sessionStates,
} from "../../../contract/states.ts";
import { runQueries } from "../../areas/runs/queries.ts";
import { useApi } from "../../lib/api.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../lib/history/known-run.ts";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatAge, parseTime } from "../../lib/time/format.ts";
import { useFrame } from "../../ui/AppFrame.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { SidebarWatched } from "../../ui/SidebarWatched.tsx";
import WatchedEnds from "../watched/WatchedEnds.tsx";
import { useConversationReads } from "./useConversationReads.ts";

type Props = { runs: readonly KnownRun[]; conversations: readonly KnownConversation[] };

/** What the person follows, as rows of the sidebar; and what tells when one of it ends. */
export default function Watched({ runs, conversations }: Props) {
  // On phones the sidebar is there a second time while its drawer is open: one of them tells.
  const { isSidebarOpen } = useFrame();
  const [wasOpen] = useState(isSidebarOpen);
  return (
    <>
      {runs.length > 0 && <Watching runs={runs} />}
      {conversations.length > 0 && <WatchedConversations conversations={conversations} />}
      {!(wasOpen && isSidebarOpen) && <WatchedEnds runs={runs} conversations={conversations} />}
    </>
  );
}

/** What the person follows, with shape and age. */
function Watching({ runs }: { runs: readonly KnownRun[] }) {
  const api = useApi();
  const ids = runs.flatMap((run) => run.runId ?? []);
  const reads = useQueries({
    queries: ids.map((runId) => runQueries.run(api, runId, { inBackground: true })),
  });
  const now = useNow();
  return runs.map((run, at) => {
    const read = reads[at]?.data?.data;
    const state = read?.state ?? run.last?.state ?? "STARTED";
    const { tone, word } = describeState(runStates, state);
    const ended = parseTime(read?.finished_ts ?? run.last?.finishedTs);
    const began = parseTime(read?.created_ts ?? run.last?.createdTs) ?? run.knownAt;
    return (
      <Unwatchable
        key={run.id}
        name={run.savedItemName ?? run.savedItemId ?? run.runId ?? ""}
        onEnd={() => void api.history.watch(run.runId ?? "", false)}
      >
        <SidebarWatched
          tone={tone}
          word={word}
          age={`${formatAge(now - (ended ?? began))}${ended === null ? "" : " ago"}`}
        >
          <Link to="/runs/$runId" params={{ runId: run.runId ?? "" }}>
            {run.savedItemName ?? run.savedItemId ?? run.runId}
          </Link>
        </SidebarWatched>
      </Unwatchable>
    );
  });
}

/** The conversations that the person follows: whether the agent still works, and since when. */
function WatchedConversations({ conversations }: { conversations: readonly KnownConversation[] }) {
  const api = useApi();
  const states = useConversationReads(conversations, true).map((read) => read?.state ?? null);
  const now = useNow();
  // What is read here is noted, so that a conversation that nobody has open is not followed for ever.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another state is news
  useEffect(() => {
    conversations.forEach((conversation, at) => {
      const state = states[at] ?? null;
      if (conversation.interactionId === null || state === null || state === conversation.last?.state) return;
      const createdTs = conversation.last?.createdTs ?? null;
      void api.conversations.saw(conversation.interactionId, { last: { state, createdTs } });
    });
  }, [states.join(" ")]);
  return conversations.map((conversation, at) => {
    const raw = states[at] ?? conversation.last?.state ?? "ASYNC_PROCESSING";
    const machine = Object.hasOwn(sessionStates, raw) ? sessionStates : interactionStates;
    const { tone, word } = describeState(machine, raw);
    const since = conversation.asked?.at ?? conversation.knownAt;
    return (
      <Unwatchable
        key={conversation.id}
        name={shownName(conversation.name ?? conversation.interactionId ?? "")}
        onEnd={() => void api.conversations.watch(conversation.interactionId ?? "", false)}
      >
        <SidebarWatched
          tone={tone}
          word={word}
          age={`${formatAge(now - since)}${isTerminal(machine, raw) ? " ago" : ""}`}
        >
          <Link
            to="/agents/$agentId/conversations/$interactionId"
            params={{ agentId: conversation.agentId ?? "", interactionId: conversation.interactionId ?? "" }}
          >
            {[conversation.agentName, conversation.name]
              .filter(Boolean)
              .map((one) => shownName(one ?? ""))
              .join(" · ")}
          </Link>
        </SidebarWatched>
      </Unwatchable>
    );
  });
}

type UnwatchableProps = { name: string; onEnd: () => void; children: ReactNode };

/** A row under "Watching" with the way to stop that, which shows itself to a hand or the keyboard. */
function Unwatchable({ name, onEnd, children }: UnwatchableProps) {
  return (
    <div className="group relative flex flex-col">
      {children}
      <span className="absolute inset-y-0 right-0.5 hidden items-center rounded-control bg-surface-sunken group-focus-within:flex group-hover:flex sm:max-lg:!hidden">
        <IconButton size="tiny" label={`Stop watching ${name}`} onClick={onEnd}>
          <X />
        </IconButton>
      </span>
    </div>
  );
}
