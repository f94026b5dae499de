import { useInfiniteQuery } from "@tanstack/react-query";
import type { SearchKind } from "../../../contract/search.ts";
import { useApi } from "../../lib/api.tsx";
import { type HitIn, hitsIn, searchPages } from "./queries.ts";

/** What was found of one kind so far, whoever looked. */
export interface Found {
  readonly kind: SearchKind;
  readonly hits: readonly HitIn[];
  /** Nothing came yet, and nothing failed. */
  readonly isPending: boolean;
  /** Why it could not be looked through. */
  readonly error: Error | null;
  readonly isRetrying: boolean;
  readonly retry: () => void;
  /** Looks further back; null where everything was looked through. */
  readonly more: (() => void) | null;
  readonly isReadingMore: boolean;
  /** ISO 8601: all that ended since was looked through; null where that is all, or a page was full first. */
  readonly searchedTo: string | null;
  /** What ended after this time (ISO 8601) may not be found yet; null where that is not told. */
  readonly indexedUntil: string | null;
}

/** @param isWanted nothing is asked otherwise */
export function useFound(kind: SearchKind, q: string, isWanted: boolean): Found | null {
  const api = useApi();
  const query = useInfiniteQuery({ ...searchPages(api, kind, q), enabled: isWanted });
  if (!isWanted) return null;
  const pages = query.data?.pages ?? [];
  const last = pages.at(-1)?.data;
  return {
    kind,
    hits: hitsIn(pages),
    isPending: query.isPending,
    error: query.error,
    isRetrying: query.isFetching,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isReadingMore: query.isFetchingNextPage,
    searchedTo: last?.searched_to ?? null,
    indexedUntil: pages[0]?.data.indexed_until ?? null,
  };
}
