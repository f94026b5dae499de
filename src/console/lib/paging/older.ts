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
