import {
  type DefaultError,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import { useState } from "react";

/**
 * `useQuery` for what a page stands on. A read that failed before it ever brought anything stays failed while it is
 * tried again, so that the page keeps its words, its "Try again" and the focus on it, instead of becoming a skeleton
 * at each try (C-40).
 */
export function useRead<Q, D = Q, K extends QueryKey = QueryKey>(
  options: UseQueryOptions<Q, DefaultError, D, K>,
): UseQueryResult<D> {
  const query = useQuery(options);
  const { error, isPending, errorUpdateCount } = query;
  const [last, setLast] = useState<Error | null>(error);
  if (error !== null && error !== last) setLast(error);
  if (!isPending || errorUpdateCount === 0 || last === null) return query;
  // The result itself stays underneath: it tells the query which of its fields are looked at.
  return Object.create(query, {
    isPending: { value: false },
    isError: { value: true },
    status: { value: "error" },
    error: { value: last },
  }) as UseQueryResult<D>;
}
