import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import MessageSquare from "lucide-react/icons/message-square";
import { useEffect, useState } from "react";
import { interactionQueries } from "../../areas/conversations/queries.ts";
import { agentPages } from "../../areas/directory/agent-queries.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useOnceSettled } from "../../lib/paging/PageSearch.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { useStore } from "../../lib/useStore.ts";
import type { PaletteItem } from "./Palette.tsx";

const mostKnown = 50;
/**
 * What is typed is looked for at the service from so many characters on: with so many agents at a time, so many of each,
 * with all agents until so many are found.
 */
const fewest = 3;
const agentsAtOnce = 12;
const mostOfOne = 5;
const enough = 10;

interface Conversation {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly name: string | null;
  readonly at: string | null;
  readonly foundBy: string;
}

/**
 * What the palette has of conversations: those that this browser knows, and what the service finds by the text, in their
 * names and in their messages.
 */
export function useConversationItems(text: string): readonly PaletteItem[] {
  const api = useApi();
  const navigate = useNavigate();
  const known = useStore(api.conversations.list);
  const wanted = text.trim();
  const [rested, setRested] = useState(wanted);
  useOnceSettled(wanted, wanted === rested, setRested);
  const found = useFound(rested);
  const rows = new Map<string, Conversation>();
  for (const { interactionId, agentId, agentName, name, last, knownAt } of known.slice(0, mostKnown)) {
    if (interactionId === null || agentId === null) continue;
    const at = last?.createdTs ?? new Date(knownAt).toISOString();
    rows.set(interactionId, { id: interactionId, agentId, agentName, name, at, foundBy: "" });
  }
  for (const row of found) rows.set(row.id, row);
  return [...rows.values()].map(({ id, agentId, agentName, name, at, foundBy }) => ({
    id: `conversation ${id}`,
    group: "Conversations",
    icon: <MessageSquare />,
    name: shownName(name ?? id),
    detail: [agentName, id].filter(Boolean).join(" · "),
    aside: <Ago at={at} />,
    foundBy,
    run: () =>
      void navigate({
        to: "/agents/$agentId/conversations/$interactionId",
        params: { agentId, interactionId: id },
      }),
  }));
}

function useFound(text: string): readonly Conversation[] {
  const api = useApi();
  const asks = useCan("sessions") && text.length >= fewest;
  const agents = usePages(agentPages(api, { sort_order: "name_asc" }));
  const [reached, setReached] = useState({ text, agents: agentsAtOnce });
  const reach = reached.text === text ? reached.agents : agentsAtOnce;
  const asked = agents.rows.slice(0, asks ? reach : 0);
  const reads = useQueries({
    queries: asked.map(({ id }) => interactionQueries.ofAgent(api, id, { search: text }, mostOfOne)),
  });
  const found = reads.flatMap((read, at) =>
    (read.data?.data.sessions ?? []).flatMap((one): Conversation[] =>
      one?.id
        ? [
            {
              id: one.id,
              agentId: one.agent_id || (asked[at]?.id ?? ""),
              agentName: one.agent_name ?? null,
              name: one.name ?? null,
              at: one.created_at ?? null,
              foundBy: text,
            },
          ]
        : [],
    ),
  );
  const goesOn = asks && found.length < enough && reads.every(({ isPending }) => !isPending);
  const isAllAsked = reach >= agents.rows.length;
  const { more } = agents;
  const readsMore = goesOn && isAllAsked && more !== null && !more.isReading && more.error === null;
  useEffect(() => {
    if (readsMore) more.read();
    else if (goesOn && !isAllAsked) setReached({ text, agents: reach + agentsAtOnce });
  }, [goesOn, isAllAsked, readsMore, more, text, reach]);
  return found;
}
