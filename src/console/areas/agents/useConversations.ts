import { useMemo } from "react";
import { sessionStateOf } from "../../../contract/session-state.ts";
import {
  type Description,
  describeState,
  interactionStates,
  sessionStates,
} from "../../../contract/states.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import type { KnownConversation } from "../../lib/history/known-conversation.ts";
import { usePages } from "../../lib/paging/usePages.ts";
import { useStore } from "../../lib/useStore.ts";
import { conversationPages, type SessionFilters, type SessionIn } from "../conversations/index.ts";
import type { PersonIn } from "../directory/index.ts";

/** A conversation in a list, wherever it is known from. */
export interface ConversationLine {
  readonly id: string;
  readonly name: string | null;
  readonly described: Description;
  /** ISO 8601. */
  readonly createdAt: string | null;
  readonly by: PersonIn | null;
  /** Through what it was begun, as the service says it; null where it does not. */
  readonly type: string | null;
}

/** Where a conversation with an agent is read. */
export const toConversation = (agentId: string, { id: interactionId }: Pick<ConversationLine, "id">) =>
  ({ to: "/agents/$agentId/conversations/$interactionId", params: { agentId, interactionId } }) as const;

/** The conversations with an agent: those that the service lists, else those that this browser knows. */
export function useConversations(agentId: string, filters: SessionFilters, size?: number) {
  const api = useApi();
  const isService = useCan("sessions");
  const pages = usePages(conversationPages(api, agentId, filters, size), { enabled: isService });
  const { rows, query } = pages;
  const known = useStore(api.conversations.list);

  const lines = useMemo(
    () => (isService ? rows.map(lineOfService) : linesOfHistory(known, agentId, filters)),
    [isService, rows, known, agentId, filters],
  );
  return {
    lines,
    isService,
    /** Null where the service lists none. */
    query: isService ? query : null,
    damage: isService ? pages.damage : [],
    more: isService ? pages.more : null,
  };
}

function lineOfService(session: SessionIn): ConversationLine {
  return {
    id: session.id,
    name: session.name ?? null,
    described: describeState(sessionStates, sessionStateOf(session)),
    createdAt: session.created_at ?? null,
    by: session.creator ?? null,
    type: session.type ?? null,
  };
}

function linesOfHistory(
  known: readonly KnownConversation[],
  agentId: string,
  { search, state }: SessionFilters,
): readonly ConversationLine[] {
  const wanted = search?.toLowerCase() ?? "";
  return known.flatMap((one) => {
    if (one.interactionId === null || one.agentId !== agentId) return [];
    const raw = one.last?.state ?? null;
    if (state !== undefined && raw !== state) return [];
    if (!(one.name ?? "").toLowerCase().includes(wanted)) return [];
    // It was read through one of two endpoints, each with its own words.
    const machine = raw !== null && Object.hasOwn(interactionStates, raw) ? interactionStates : sessionStates;
    return [
      {
        id: one.interactionId,
        name: one.name,
        described: describeState(machine, raw ?? "not loaded yet"),
        createdAt: one.last?.createdTs ?? new Date(one.knownAt).toISOString(),
        by: null,
        type: null,
      },
    ];
  });
}
