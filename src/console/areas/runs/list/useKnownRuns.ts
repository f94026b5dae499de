import { useApi } from "../../../lib/api/api-context.tsx";
import { useKnownRows } from "../useKnownRows.ts";
import { fits } from "./fits.ts";
import { countViews, type RunList } from "./run-list.ts";
import type { RunsSearch } from "./search.ts";

/** What this browser knows, where the service lists nothing. */
export function useKnownRuns(search: RunsSearch, now: number): RunList {
  const me = useApi().who.userId;
  const { rows, query } = useKnownRows();
  return {
    rows: rows.filter((row) => fits(row, search, now, me)),
    counts: countViews(rows, now, me),
    query,
    damage: [],
    older: null,
  };
}
