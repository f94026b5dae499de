import {
  type DefaultError,
  hashKey,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";

/**
 * A read as a page looks at it: a plain object, so it may be spread. Nothing in it changes at a poll that brings
 * nothing new, so such a poll draws nothing.
 */
export interface Read<D> {
  /** What came last; undefined before anything came. */
  readonly data: D | undefined;
  /** Why the last try failed; null after an answer. */
  readonly error: Error | null;
  /** Nothing came yet, and nothing failed. */
  readonly isPending: boolean;
  /** The last try failed; there may be data from before. */
  readonly isError: boolean;
  /** It is tried again after a failure. */
  readonly isRetrying: boolean;
  /** When the data were read, in ms since 1970, where a later try failed; null otherwise (`useReadAt`). */
  readonly readAt: number | null;
  /** The data answer the question before this one. */
  readonly isPrevious: boolean;
  readonly queryKey: QueryKey;
  readonly refetch: UseQueryResult<D>["refetch"];
}

/** It failed before it ever brought anything: there is nothing to show. */
export const hasFailed = ({ isError, data }: Pick<Read<unknown>, "isError" | "data">): boolean =>
  isError && data === undefined;

/** What is said of a read that failed, and how it is tried again. */
export const failureOf = (read: Pick<Read<unknown>, "error" | "isRetrying"> & { refetch(): unknown }) => ({
  error: read.error,
  isRetrying: read.isRetrying,
  onRetry: () => void read.refetch(),
});

const calm = ["data", "error", "status", "isPlaceholderData"] as const;
const troubled = [...calm, "isFetching", "dataUpdatedAt"] as const;

/** What of a query draws a page anew (`notifyOnChangeProps`): tries and times only where something failed. */
export function drawnBy(client: QueryClient, queryKey: QueryKey) {
  return () => {
    const state = client.getQueryState(queryKey);
    return [...(state && (state.error !== null || neverCame(state)) ? troubled : calm)];
  };
}

/** A query's result as a page looks at it. */
export function readOf<D>(result: UseQueryResult<D>, queryKey: QueryKey): Read<D> {
  const { data, error, isPending, isError, isPlaceholderData, refetch } = result;
  const hasFailed = error !== null;
  return {
    data,
    error,
    isPending,
    isError,
    isRetrying: hasFailed && result.isFetching,
    readAt: hasFailed && data !== undefined ? result.dataUpdatedAt : null,
    isPrevious: isPlaceholderData,
    queryKey,
    refetch,
  };
}

/**
 * `useQuery` for what a page stands on. A read that failed before it ever brought anything stays failed while it is
 * tried again, so that the page keeps its words, its "Try again" and the focus on it, instead of becoming a skeleton
 * at each try (C-40).
 */
export function useRead<Q, D = Q, K extends QueryKey = QueryKey>(
  options: UseQueryOptions<Q, DefaultError, D, K>,
): Read<D> {
  const client = useQueryClient();
  const { queryKey } = options;
  const result = useQuery({ ...options, notifyOnChangeProps: drawnBy(client, queryKey) });
  const [last, setLast] = useState<{ readonly of: string; readonly error: Error } | null>(null);
  const of = hashKey(queryKey);
  const { error } = result;
  if (error !== null && (last?.error !== error || last.of !== of)) setLast({ of, error });
  const state = client.getQueryState(queryKey);
  const read = readOf(result, queryKey);
  if (error !== null || last?.of !== of || !state || !neverCame(state)) return read;
  const failed = { data: undefined, error: last.error, isPending: false, isError: true, isPrevious: false };
  return { ...read, ...failed, isRetrying: result.isFetching };
}

const neverCame = (state: { readonly data: unknown; readonly errorUpdateCount: number }): boolean =>
  state.data === undefined && state.errorUpdateCount > 0;
