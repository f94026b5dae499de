import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import type { Received } from "../../../contract/define.ts";
import type { SessionSummary } from "../../../contract/sessions.ts";
import {
  type Description,
  describeState,
  interactionStates,
  sessionStates,
} from "../../../contract/states.ts";
import { interactionQueries, type SessionFilters } from "../../api/queries/interactions.ts";
import { useApi } from "../../components/api-context.tsx";
import { useCan } from "../../components/useCan.ts";
import { useRead } from "../../components/useRead.ts";
import type { KnownConversation } from "../../history/known-conversation.ts";
import { personWords } from "./words.ts";

/** A conversation in a list, wherever it is known from. */
export interface ConversationLine {
  readonly id: string;
  readonly name: string | null;
  readonly described: Description;
  /** ISO 8601. */
  readonly createdAt: string | null;
  readonly by: string | null;
  /** Through what it was begun, as the service says it; null where it does not. */
  readonly type: string | null;
}

/** The conversations with an agent: those that the service lists, else those that this browser knows. */
export function useConversations(agentId: string, filters: SessionFilters, size?: number) {
  const api = useApi();
  const isService = useCan("sessions");
  const options = interactionQueries.ofAgent(api, agentId, filters, size);
  const query = useRead({ ...options, enabled: isService, placeholderData: keepPreviousData });
  const cursor = query.data?.data.next_cursor ?? "";
  const older = useInfiniteQuery({
    ...interactionQueries.older(api, agentId, filters, cursor),
    enabled: false,
  });
  const known = useSyncExternalStore(api.conversations.list.subscribe, api.conversations.list.get);

  const lines = useMemo(() => {
    if (!isService) return linesOfHistory(known, agentId, filters);
    const pages = [
      query.data?.data,
      ...(cursor === "" ? [] : (older.data?.pages ?? []).map((page) => page.data)),
    ];
    const seen = new Set<string>();
    return pages
      .flatMap((page) => page?.sessions ?? [])
      .flatMap((session) => {
        const line = session ? lineOfService(session) : null;
        if (!line || seen.has(line.id)) return [];
        seen.add(line.id);
        return [line];
      });
  }, [isService, query.data, older.data, cursor, known, agentId, filters]);
  return {
    lines,
    isService,
    query,
    queryKey: options.queryKey as readonly unknown[],
    damage: isService ? (query.data?.damage ?? []) : [],
    isFirstRead: isService && query.isPending,
    hasMore: cursor !== "" && !(older.data && !older.hasNextPage),
    more: () => void (older.data ? older.fetchNextPage() : older.refetch()),
    isReadingMore: older.isFetching,
  };
}

function lineOfService(session: Received<SessionSummary>): ConversationLine | null {
  if (!session.id) return null;
  return {
    id: session.id,
    name: session.name ?? null,
    described: describeState(sessionStates, session.state),
    createdAt: session.created_at ?? null,
    by: personWords(session.creator),
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
        described: describeState(machine, raw ?? "not read yet"),
        createdAt: one.last?.createdTs ?? new Date(one.knownAt).toISOString(),
        by: null,
        type: null,
      },
    ];
  });
}
