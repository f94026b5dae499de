import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import MessageSquare from "lucide-react/icons/message-square";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { useSyncExternalStore } from "react";
import { agentQueries } from "../../api/queries/agents.ts";
import { useApi } from "../api-context.tsx";
import { shownName } from "../conversation/shownName.ts";
import { Ago } from "../time/Time.tsx";
import type { PaletteItem } from "./Palette.tsx";

const mostTalks = 50;

/** What the palette has of agents: each to open and to talk to, and the conversations that this browser knows. */
export function useAgentItems(): readonly PaletteItem[] {
  const api = useApi();
  const navigate = useNavigate();
  const read = useQuery(agentQueries.list(api, { sort_order: "name_asc" }));
  const known = useSyncExternalStore(api.conversations.list.subscribe, api.conversations.list.get);
  const agents = (read.data?.data.agents ?? []).flatMap((agent) =>
    agent?.id
      ? [{ id: agent.id, name: shownName(agent.name || agent.id), about: agent.description ?? "" }]
      : [],
  );
  return [
    ...agents.map((agent) => ({
      id: `agent ${agent.id}`,
      group: "Agents",
      icon: <Bot />,
      name: agent.name,
      detail: agent.about,
      run: () => void navigate({ to: "/agents/$agentId", params: { agentId: agent.id } }),
    })),
    ...agents.map((agent) => ({
      id: `talk ${agent.id}`,
      group: "New conversation",
      icon: <MessageSquarePlus />,
      name: `Talk to ${agent.name}`,
      run: () => void navigate({ to: "/agents/$agentId/conversations/new", params: { agentId: agent.id } }),
    })),
    ...known.slice(0, mostTalks).flatMap((one) => {
      const { interactionId, agentId } = one;
      if (interactionId === null || agentId === null) return [];
      return [
        {
          id: `conversation ${interactionId}`,
          group: "Conversations",
          icon: <MessageSquare />,
          name: shownName(one.name ?? interactionId),
          detail: [one.agentName, interactionId].filter(Boolean).join(" · "),
          aside: <Ago at={one.last?.createdTs ?? new Date(one.knownAt).toISOString()} />,
          run: () =>
            void navigate({
              to: "/agents/$agentId/conversations/$interactionId",
              params: { agentId, interactionId },
            }),
        },
      ];
    }),
  ];
}
