import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { listSessions } from "../../../contract/sessions.ts";
import { type Answer, call } from "../../api/client.ts";
import { keyOf } from "../../api/read.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { usePages } from "../../lib/paging/usePages.ts";
import { useWhole } from "../../lib/paging/useWhole.ts";
import { parseTime } from "../../lib/time/format.ts";
import { agentQueries } from "../directory/index.ts";
import { type RunRow, rowOfHistory, rowOfService, runPages } from "../runs/index.ts";

import { type Target, targetOfRun, targetOfTalk } from "./targets.ts";

/** Objects of one kind to look through, newest first. */
export interface Targets {
  readonly list: readonly Target[];
  /** There are older ones, known or to be listed. */
  readonly hasMore: boolean;
  /** The service lists them; otherwise these are what this browser knows. */
  readonly isListed: boolean;
  /** What of them the lists leave out, in words; null for nothing. */
  readonly limit: string | null;
  readonly isReading: boolean;
  /** Why they could not be listed. */
  readonly error: unknown;
  readonly retry: () => void;
}

const listedFor = 30_000;
/** Conversations are listed agent by agent: those of so many agents. */
const mostAgents = 10;
const ofEachAgent = 50;

/**
 * The newest runs that the service lists or this browser knows, with their inputs.
 * @param isWanted nothing is asked otherwise
 */
export function useRunTargets(most: number, isWanted: boolean): Targets {
  const api = useApi();
  const canList = useCan("runs") && isWanted;
  const source = runPages(api);
  const first = { ...source.first, refetchInterval: false as const, staleTime: listedFor };
  const pages = usePages({ ...source, first }, { enabled: canList });
  const { query: newest, more, rows: listed } = pages;
  const known = useSyncExternalStore(api.history.runs.subscribe, api.history.runs.get);
  const all = useMemo(() => {
    const rows = new Map<string, RunRow>();
    const add = (row: RunRow | null) => row && !rows.has(row.runId) && rows.set(row.runId, row);
    for (const run of listed) add(rowOfService(run));
    // The service may cut long inputs in its list; those that were sent from here are known whole.
    for (const run of known) {
      const row = rowOfHistory(run, api.who.userId);
      const listed = row && rows.get(row.runId);
      if (row && listed && run.inputs) rows.set(row.runId, { ...listed, inputs: run.inputs });
      else add(row);
    }
    return newestFirst([...rows.values()].map(targetOfRun));
  }, [listed, known, api]);
  useWhole(pages, canList ? most : 0);
  const list = useMemo(() => (isWanted ? all.slice(0, most) : []), [all, most, isWanted]);
  return {
    list,
    hasMore: isWanted && (all.length > most || (canList && more !== null)),
    isListed: canList && newest.error === null,
    limit: null,
    isReading: (canList && newest.isPending) || more?.isReading === true,
    error: newest.error ?? more?.error ?? null,
    retry: () => {
      if (newest.error !== null) void newest.refetch();
      else more?.read();
    },
  };
}

/**
 * The newest conversations that this browser knows, with those that the service lists of the first agents.
 * @param isWanted nothing is asked otherwise
 */
export function useTalkTargets(most: number, isWanted: boolean): Targets {
  const api = useApi();
  const canList = useCan("sessions") && isWanted;
  const agents = useQuery({
    ...agentQueries.list(api),
    enabled: canList,
    refetchInterval: false,
    staleTime: listedFor,
  });
  // Others may have read them for themselves.
  const listed = canList ? (agents.data?.data.agents ?? []) : [];
  const ids = listed.flatMap((agent) => agent?.id ?? []).slice(0, mostAgents);
  const lists = useQueries({
    queries: ids.map((agent_id) => ({
      queryKey: [...keyOf(api, listSessions), "searched", agent_id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(
          api,
          listSessions,
          { params: { agent_id }, query: { page_size: ofEachAgent } },
          { signal, poll: true },
        ),
      staleTime: listedFor,
    })),
    combine: together,
  });
  const known = useSyncExternalStore(api.conversations.list.subscribe, api.conversations.list.get);
  const { pages } = lists;
  const all = useMemo(() => {
    const found = new Map<string, Target>();
    for (const { data } of pages) {
      for (const one of data.sessions ?? []) {
        if (!one?.id) continue;
        const { id, name, state, created_at, agent_id, agent_name } = one;
        const target = targetOfTalk({
          id,
          name: name ?? null,
          detail: agent_name ?? "",
          state: state ?? null,
          at: created_at ?? null,
          agentId: agent_id ?? null,
        });
        found.set(target.key, target);
      }
    }
    for (const { interactionId: id, agentId, agentName, name, last, knownAt } of known) {
      if (id === null) continue;
      const at = last?.createdTs ?? new Date(knownAt).toISOString();
      const target = targetOfTalk({
        id,
        agentId,
        name,
        detail: agentName ?? "",
        state: last?.state ?? null,
        at,
      });
      if (!found.has(target.key)) found.set(target.key, target);
    }
    return newestFirst([...found.values()]);
  }, [pages, known]);
  const list = useMemo(() => (isWanted ? all.slice(0, most) : []), [all, most, isWanted]);
  const { failed } = lists;
  return {
    list,
    hasMore: isWanted && all.length > most,
    isListed: canList && agents.error === null,
    limit: limitOf(
      ids.length < listed.length || Boolean(canList && agents.data?.data.next_cursor),
      pages.some(({ data }) => data.next_cursor),
    ),
    isReading: (canList && agents.isPending && agents.isFetching) || lists.isReading,
    error: canList ? (agents.error ?? failed[0]?.error ?? null) : null,
    retry: () => {
      if (agents.error !== null) void agents.refetch();
      for (const one of failed) void one.refetch();
    },
  };
}

/** Pages of conversations that were read one by one. */
function together(reads: UseQueryResult<Answer<typeof listSessions>>[]) {
  return {
    pages: reads.flatMap(({ data }) => (data ? [data] : [])),
    failed: reads.filter(({ error }) => error !== null),
    isReading: reads.some(({ isFetching }) => isFetching),
  };
}

function limitOf(isOfSomeAgents: boolean, isOfEachSome: boolean): string | null {
  const parts = [
    isOfSomeAgents ? `of ${mostAgents} agents` : null,
    isOfEachSome ? `the newest ${ofEachAgent} with each agent` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `Conversations: ${parts.join(", ")}, and those that this browser knows`;
}

/** By when they began. */
export function newestFirst(targets: readonly Target[]): readonly Target[] {
  const when = ({ at }: Target) => parseTime(at) ?? 0;
  return [...targets].sort((a, b) => when(b) - when(a));
}
