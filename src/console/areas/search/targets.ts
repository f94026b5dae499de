import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listSessions } from "../../../contract/sessions.ts";
import { type Answer, call } from "../../api/client.ts";
import { keyOf } from "../../api/read.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { useWhole } from "../../lib/paging/useWhole.ts";
import { parseTime } from "../../lib/time/format.ts";
import { useStore } from "../../lib/useStore.ts";
import { agentQueries } from "../directory/index.ts";
import {
  firstInputs,
  type RunRow,
  rowOfHistory,
  rowOfService,
  runName,
  runPages,
  valueWord,
} from "../runs/index.ts";
import type { Field, SearchKind } from "./worker/hit.ts";

/** A run or a conversation to look through. Times are ISO 8601. */
export interface Target {
  readonly key: string;
  readonly kind: "run" | "conversation";
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the same name; may be empty. */
  readonly detail: string;
  readonly state: string | null;
  readonly at: string | null;
  /** Of a conversation; null where it is not known before it is read. */
  readonly agentId: string | null;
  /** What is known of it without reading it. */
  readonly fields: readonly Field[];
}

/** What of a kind of object can only be looked through after reading it. */
export const inside: Readonly<Record<Target["kind"], readonly SearchKind[]>> = {
  run: ["outputs", "log"],
  conversation: ["messages", "tools"],
};

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
  const known = useStore(api.history.runs);
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
export function useConversationTargets(most: number, isWanted: boolean): Targets {
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
  const known = useStore(api.conversations.list);
  const { pages } = lists;
  const all = useMemo(() => {
    const found = new Map<string, Target>();
    for (const { data } of pages) {
      for (const one of data.sessions ?? []) {
        if (!one?.id) continue;
        const { id, name, state, created_at, agent_id, agent_name } = one;
        const target = targetOfConversation({
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
      const target = targetOfConversation({
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
    isOfSomeAgents ? `from ${mostAgents} agents` : null,
    isOfEachSome ? `the newest ${ofEachAgent} per agent` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `Conversations: ${parts.join(", ")}, and local history`;
}

/** By when they began. */
export function newestFirst(targets: readonly Target[]): readonly Target[] {
  const when = ({ at }: Target) => parseTime(at) ?? 0;
  return [...targets].sort((a, b) => when(b) - when(a));
}

/** A run with its inputs, and with why it failed. */
function targetOfRun(run: RunRow): Target {
  const inputs = Object.entries(run.inputs).map(
    ([name, value]): Field => ({ kind: "inputs", at: name, label: name, text: valueWord(value) }),
  );
  const error: readonly Field[] =
    run.error === null ? [] : [{ kind: "outputs", at: "", label: "Error", text: run.error }];
  return {
    key: `run ${run.runId}`,
    kind: "run",
    id: run.runId,
    name: runName(run),
    detail: firstInputs(run.inputs),
    state: run.state,
    at: run.createdTs,
    agentId: null,
    fields: [...inputs, ...error],
  };
}

type ConversationFacts = Omit<Target, "key" | "kind" | "name" | "fields"> & { readonly name: string | null };

/** A conversation; nothing of it is known before it is read but its name. */
const targetOfConversation = ({ id, name, ...rest }: ConversationFacts): Target => ({
  key: `conversation ${id}`,
  kind: "conversation",
  id,
  name: name ?? id,
  fields: [],
  ...rest,
});
