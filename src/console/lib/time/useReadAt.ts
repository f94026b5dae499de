import { type QueryKey, useIsFetching, useQueryClient } from "@tanstack/react-query";

/** When a query last answered, in ms since 1970; 0 before it did. Draws its caller anew at each try. */
export function useReadAt(queryKey: QueryKey): number {
  useIsFetching({ queryKey });
  return useQueryClient().getQueryState(queryKey)?.dataUpdatedAt ?? 0;
}
