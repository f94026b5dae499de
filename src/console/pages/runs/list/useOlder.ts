import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type RunFilters, runQueries } from "../../../api/queries/runs.ts";
import { useApi } from "../../../components/api-context.tsx";
import type { RunRow } from "../../../components/run/run-row.ts";
import { type RunList, rowsOf } from "./run-list.ts";

interface Read {
  /** Everything seen since the first older page was asked for, so that no run falls between two pages. */
  readonly seen: ReadonlyMap<string, RunRow>;
  /** Where the next older page begins; null after the last. */
  readonly cursor: string | null;
}

/** The newest page of a list, which is polled, with the older pages that were asked for one by one. */
export function useOlder(
  newest: readonly RunRow[],
  nextCursor: string | null,
  filters: RunFilters,
): { rows: readonly RunRow[]; older: RunList["older"] } {
  const api = useApi();
  const queries = useQueryClient();
  const key = JSON.stringify(filters);
  const [read, setRead] = useState<(Read & { key: string }) | null>(null);
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const mine = read?.key === key ? read : null;

  useEffect(() => {
    setRead((old) => (old?.key === key ? { ...old, seen: withRows(old.seen, newest) } : old));
  }, [newest, key]);

  const rows = useMemo(() => {
    if (!mine) return newest;
    return [...withRows(mine.seen, newest).values()].sort((a, b) => compareTimes(b.createdTs, a.createdTs));
  }, [mine, newest]);
  const cursor = mine ? mine.cursor : nextCursor;
  if (!cursor) return { rows, older: null };

  const readMore = async () => {
    setReading(true);
    setError(null);
    try {
      const { data } = await queries.fetchQuery(runQueries.older(api, filters, cursor));
      const seen = withRows(withRows(mine?.seen ?? new Map(), newest), rowsOf(data.runs ?? [], api));
      setRead({ key, seen, cursor: data.next_cursor ?? null });
    } catch (failed) {
      setError(failed);
    } finally {
      setReading(false);
    }
  };
  return { rows, older: { read: () => void readMore(), isReading, error } };
}

function withRows(seen: ReadonlyMap<string, RunRow>, rows: readonly RunRow[]): ReadonlyMap<string, RunRow> {
  if (rows.every((row) => seen.get(row.runId) === row)) return seen;
  return new Map([...seen, ...rows.map((row) => [row.runId, row] as const)]);
}

/** Times of one service are written alike, so their text is ordered as they are. */
const compareTimes = (a: string | null, b: string | null): number => (a ?? "").localeCompare(b ?? "");
