import { hashKey, keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Endpoint } from "../../../contract/define.ts";
import { mergeFirstPage } from "../../api/merge-first-page.ts";
import { eachOnce, type Paged, type Rows } from "../../api/paged.ts";
import type { Snapshot } from "../../api/read.ts";
import type { Damage } from "../../api/receive.ts";
import { keepHeld } from "./keep-held.ts";
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

/** What reads beyond the first page; it comes when that is asked for. */
const loadOlder = () => import("./older.ts");

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
    queryFn: async ({ signal }) => {
      const { readHeld } = await loadOlder();
      const before = client.getQueryData<Rows<R>>(queryKey);
      return before ? readHeld(client, source, before, signal) : null;
    },
    // Only where more than the first page was asked for.
    enabled: ({ state }) => enabled && Boolean(state.data),
    staleTime: 60_000,
    gcTime: 600_000,
    refetchOnWindowFocus: false,
    notifyOnChangeProps: ["data", "dataUpdatedAt"],
  });

  const laid = useMemo(() => {
    const now: Rows<R> = data ? pageOf(data.data) : { rows: [], cursor: null };
    if (held && data && !isPrevious) return mergeFirstPage(held, now, idOf);
    return { list: { ...now, rows: eachOnce(now.rows, idOf) }, isSure: true };
  }, [data, isPrevious, held, pageOf, idOf]);
  const { list } = laid;

  useEffect(() => {
    if (held && !isPrevious) keepHeld(client, hash, held, heldAt, laid);
  }, [client, hash, held, heldAt, isPrevious, laid]);

  const [asked, setAsked] = useState(quiet);
  const { isReading, error } = asked.of === hash ? asked : quiet;
  const readMore = async () => {
    setAsked({ of: hash, isReading: true, error: null });
    let failure: unknown = null;
    try {
      const { readOlder } = await loadOlder();
      await readOlder(client, queryKey, source, list);
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
