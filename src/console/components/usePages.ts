import { hashKey, keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { Endpoint } from "../../contract/define.ts";
import type { Paged } from "../api/paged.ts";
import { append, eachOnce, layOver, nextPage, type Rows, readAgain } from "../api/pages.ts";
import type { Snapshot } from "../api/read.ts";
import type { Damage } from "../api/receive.ts";
import { type Read, useRead } from "./useRead.ts";

/** Reads the next page of a list. */
export interface More {
  readonly read: () => void;
  readonly isReading: boolean;
  /** Why it could not be read; null where it could. */
  readonly error: unknown;
}

/** A list as far as it was read. */
export interface Pages<E extends Endpoint, R> {
  readonly rows: readonly R[];
  /** Its first page. */
  readonly query: Read<Snapshot<E>>;
  readonly damage: readonly Damage[];
  /** Null where everything was read. */
  readonly more: More | null;
}

const quiet = { of: "", isReading: false, error: null as unknown };

/**
 * A list that is read page by page: its first page, which is polled, and what was asked for beyond it, kept under the
 * same filters. What is new is laid over what was read; where that does not tell all, as after a deletion, everything
 * that was read is read again. So nothing is lost between two pages and nothing is shown twice.
 */
export function usePages<E extends Endpoint, R>(source: Paged<E, R>, { enabled = true } = {}): Pages<E, R> {
  const client = useQueryClient();
  const { first, pageOf, idOf } = source;
  const query = useRead({ ...first, enabled, placeholderData: keepPreviousData });
  const { data, isPrevious } = query;
  const queryKey = [...first.queryKey, "older"];
  const hash = hashKey(queryKey);
  const { data: held, dataUpdatedAt: heldAt } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Rows<R>> => {
      const before = client.getQueryData<Rows<R>>(queryKey);
      const now = pageOf((await client.fetchQuery({ ...first, staleTime: 0 })).data);
      const read = (cursor: string | null) => source.read(cursor, { signal, poll: true });
      return before ? await readAgain(before, now, read, idOf) : now;
    },
    // Only where more than the first page was asked for.
    enabled: ({ state }) => enabled && state.data !== undefined,
    staleTime: 60_000,
    gcTime: 600_000,
    refetchOnWindowFocus: false,
    notifyOnChangeProps: ["data", "dataUpdatedAt"],
  });

  const { list, isSure } = useMemo(() => {
    const now: Rows<R> = data ? pageOf(data.data) : { rows: [], cursor: null };
    if (held && data && !isPrevious) return layOver(held, now, idOf);
    return { list: { ...now, rows: eachOnce(now.rows, idOf) }, isSure: true };
  }, [data, isPrevious, held, pageOf, idOf]);

  useEffect(() => {
    const older = client.getQueryCache().get(hash);
    if (!older || !held || isPrevious) return;
    const { queryKey } = older;
    if (!isSure) void client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
    // Kept, so that the next page that is laid over it meets this one.
    else {
      const keep = (now: Rows<R> | undefined) => (now === held ? list : now);
      client.setQueryData(queryKey, keep, { updatedAt: heldAt });
    }
  }, [client, hash, held, heldAt, isPrevious, list, isSure]);

  const [asked, setAsked] = useState(quiet);
  const { isReading, error } = asked.of === hash ? asked : quiet;
  const readMore = async () => {
    setAsked({ of: hash, isReading: true, error: null });
    let failure: unknown = null;
    try {
      // Reading again would end where the list ended before.
      await client.cancelQueries({ queryKey, exact: true });
      const page = await client.fetchQuery({
        queryKey: [...queryKey, list.cursor],
        queryFn: ({ signal }) => nextPage(list, (cursor) => source.read(cursor, { signal }), idOf),
        gcTime: 0,
      });
      client.setQueryData<Rows<R>>(queryKey, (old) => append(old ?? list, page, idOf));
    } catch (failed) {
      failure = failed;
    }
    setAsked((now) => (now.of === hash ? { of: hash, isReading: false, error: failure } : now));
  };
  return {
    rows: list.rows,
    query,
    damage: data?.damage ?? [],
    more: list.cursor === null ? null : { read: () => void readMore(), isReading, error },
  };
}

/** Reads a list on by itself, until that many rows are there, or no more, or it fails. */
export function useWhole(
  { rows, more, query }: Pick<Pages<Endpoint, unknown>, "rows" | "more" | "query">,
  most: number,
) {
  const isWanted =
    !query.isPrevious && more !== null && !more.isReading && more.error === null && rows.length < most;
  const read = useEffectEvent(() => more?.read());
  useEffect(() => {
    if (isWanted) read();
  }, [isWanted]);
}
