import { useNavigate } from "@tanstack/react-router";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { AgentArtifacts } from "../../artifacts/index.ts";
import { AgentFrame } from "../AgentFrame.tsx";
import type { AgentSearch } from "../search.ts";
import { useConversations } from "../useConversations.ts";
import { ConversationList } from "./ConversationList.tsx";
import { useFilters } from "./useFilters.ts";

/** One agent: its conversations and its artifacts. */
export function AgentPage({ agentId, search }: { agentId: string; search: AgentSearch }) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const tab = search.tab ?? "conversations";
  const conversations = useConversations(agentId, useFilters(search));
  const isList = tab === "conversations";
  const toNew = { to: "/agents/$agentId/conversations/new", params: { agentId } } as const;
  useShortcuts([{ keys: "n", does: "New conversation", run: () => void navigate(toNew) }]);

  const isUnfiltered = search.q === undefined && search.state === undefined;
  const isCounted = isUnfiltered && conversations.more === null && !conversations.isFirstRead;
  return (
    <AgentFrame
      agentId={agentId}
      active={tab}
      part={isList ? undefined : tab}
      liveKey={isList && conversations.isService ? conversations.queryKey : undefined}
      conversations={isCounted ? conversations.lines.length : undefined}
    >
      {(_agent, _name, isGone) =>
        isList ? (
          <ConversationList
            agentId={agentId}
            search={search}
            conversations={conversations}
            takesMessages={!isGone}
          />
        ) : (
          <AgentArtifacts agentId={agentId} search={search} />
        )
      }
    </AgentFrame>
  );
}
