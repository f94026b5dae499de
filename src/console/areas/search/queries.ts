import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Received } from "../../../contract/define.ts";
import { type SearchHit, type SearchKind, search } from "../../../contract/search.ts";
import { type Answer, call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";

/** A hit as it may really come; one without an id leads nowhere and is left out. */
export type HitIn = Received<SearchHit> & { readonly id: string };
export type PlaceIn = NonNullable<NonNullable<HitIn["places"]>[number]>;

const pageSize = 25;

/** What the service finds of one kind, newest first and page by page (own, `can("search")`). */
export const searchPages = (api: Api, kind: SearchKind, q: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(api, search), kind, q],
    queryFn: ({ signal, pageParam }): Promise<Answer<typeof search>> => {
      const query = { q, kinds: kind, ...teamScope(api), page_size: pageSize };
      return call(
        api,
        search,
        { query: { ...query, ...(pageParam !== null && { cursor: pageParam }) } },
        { signal },
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ data }) => data.next_cursor || null,
    staleTime: 15_000,
  });

/** The hits of some pages. */
export const hitsIn = (pages: readonly Answer<typeof search>[]): readonly HitIn[] =>
  pages.flatMap(({ data }) => (data.hits ?? []).filter((hit): hit is HitIn => Boolean(hit?.id)));
