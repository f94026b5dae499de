import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Endpoint } from "../../../contract/define.ts";
import type { Paged, Rows } from "../../api/paged.ts";
import { append, nextPage, refetchPages } from "../../api/pages.ts";

/** Reads what follows a list, and keeps it under `queryKey` with what was read before. */
export async function readOlder<E extends Endpoint, R>(
  client: QueryClient,
  queryKey: QueryKey,
  { idOf, read }: Paged<E, R>,
  list: Rows<R>,
): Promise<void> {
  // Reading again would end where the list ended before.
  await client.cancelQueries({ queryKey, exact: true });
  const page = await client.fetchQuery({
    queryKey: [...queryKey, list.cursor],
    queryFn: ({ signal }) => nextPage(list, (cursor) => read(cursor, { signal }), idOf),
    gcTime: 0,
  });
  client.setQueryData<Rows<R>>(queryKey, (old) => append(old ?? list, page, idOf));
}

/** Reads a list again from its first page on, as far as it is held. */
export async function readHeld<E extends Endpoint, R>(
  client: QueryClient,
  { first, pageOf, idOf, read }: Paged<E, R>,
  held: Rows<R>,
  signal: AbortSignal,
): Promise<Rows<R>> {
  const now = pageOf((await client.fetchQuery({ ...first, staleTime: 0 })).data);
  const readPage = (cursor: string | null) => read(cursor, { signal, poll: true });
  return refetchPages(held, now, readPage, idOf);
}

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
