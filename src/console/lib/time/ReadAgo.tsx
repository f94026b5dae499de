import { type QueryKey, useIsFetching, useQueryClient } from "@tanstack/react-query";
import { Ago } from "./Time.tsx";

/** How long ago a read brought an answer; nothing before it did. Alone it is drawn anew at each poll. */
export function ReadAgo({ of }: { of: QueryKey }) {
  const at = useReadAt(of);
  return at > 0 ? <Ago at={new Date(at).toISOString()} /> : null;
}

/** When a query last answered, in ms since 1970; 0 before it did. Draws its caller anew at each try. */
export function useReadAt(queryKey: QueryKey): number {
  useIsFetching({ queryKey });
  return useQueryClient().getQueryState(queryKey)?.dataUpdatedAt ?? 0;
}
