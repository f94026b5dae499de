import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { agentQueries } from "../../areas/directory/agent-queries.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { shownName } from "../../lib/shownName.ts";
import type { PaletteItem } from "./Palette.tsx";

/** What the palette has of agents: each to open and to talk to. */
export function useAgentItems(): readonly PaletteItem[] {
  const api = useApi();
  const navigate = useNavigate();
  const read = useQuery(agentQueries.list(api, { sort_order: "name_asc" }));
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
  ];
}
