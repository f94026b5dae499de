import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Endpoint } from "../../../contract/define.ts";
import type { Paged, Rows } from "../../api/paged.ts";
import { append, layOver, nextPage, readAgain } from "../../api/pages.ts";

export { layOver };

/** A list beyond its first page as the cache keeps it, with the code for it: this module. */
export interface Held<R> extends Rows<R> {
  readonly code: typeof import("./older.ts");
}

/** Reads what follows a list, and keeps it under `queryKey` with what was read before. */
export async function readOlder<E extends Endpoint, R>(
  client: QueryClient,
  queryKey: QueryKey,
  { idOf, read }: Paged<E, R>,
  list: Rows<R>,
  code: Held<R>["code"],
): Promise<void> {
  // Reading again would end where the list ended before.
  await client.cancelQueries({ queryKey, exact: true });
  const page = await client.fetchQuery({
    queryKey: [...queryKey, list.cursor],
    queryFn: ({ signal }) => nextPage(list, (cursor) => read(cursor, { signal }), idOf),
    gcTime: 0,
  });
  const add = (old: Held<R> | undefined) => ({ ...append(old ?? list, page, idOf), code });
  client.setQueryData<Held<R>>(queryKey, add);
}

/** Reads a list again from its first page on, as far as it is held. */
export async function readHeld<E extends Endpoint, R>(
  client: QueryClient,
  { first, pageOf, idOf, read }: Paged<E, R>,
  held: Held<R>,
  signal: AbortSignal,
): Promise<Held<R>> {
  const now = pageOf((await client.fetchQuery({ ...first, staleTime: 0 })).data);
  const readPage = (cursor: string | null) => read(cursor, { signal, poll: true });
  return { ...(await readAgain(held, now, readPage, idOf)), code: held.code };
}

/**
 * Keeps what became of a list when its first page was laid over it, so that the next first page meets this one; where
 * that left doubts, all of it is read again.
 * @param at when `held` was read, in ms since 1970
 */
export function keepHeld<R>(
  client: QueryClient,
  hash: string,
  held: Held<R>,
  at: number,
  { list, isSure }: { readonly list: Rows<R>; readonly isSure: boolean },
): void {
  const queryKey = client.getQueryCache().get(hash)?.queryKey;
  if (!queryKey) return;
  const keep = (now: Held<R> | undefined) => (now === held ? { ...list, code: held.code } : now);
  if (isSure) client.setQueryData(queryKey, keep, { updatedAt: at });
  else void client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
}
