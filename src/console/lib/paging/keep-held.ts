import type { QueryClient } from "@tanstack/react-query";
import type { Rows } from "../../api/paged.ts";

/**
 * Keeps what became of a list when its first page was laid over it, so that the next first page meets this one; where
 * that left doubts, all of it is read again.
 * @param at when `held` was read, in ms since 1970
 */
export function keepHeld<R>(
  client: QueryClient,
  hash: string,
  held: Rows<R>,
  at: number,
  { list, isSure }: { readonly list: Rows<R>; readonly isSure: boolean },
): void {
  const queryKey = client.getQueryCache().get(hash)?.queryKey;
  if (!queryKey) return;
  const keep = (now: Rows<R> | undefined) => (now === held ? list : now);
  if (isSure) client.setQueryData(queryKey, keep, { updatedAt: at });
  else void client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
}
