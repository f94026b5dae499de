import type { Received } from "../../../../contract/define.ts";
import type { RunSummary } from "../../../../contract/runs.ts";
import type { Damage } from "../../../api/receive.ts";
import type { Api } from "../../../lib/api/api.ts";
import type { More } from "../../../lib/paging/usePages.ts";
import type { Read } from "../../../lib/paging/useRead.ts";
import { type RunRow, rowOfService } from "../run-row.ts";
import { isInView, type RunsView, views } from "./search.ts";

/** The runs of the page, wherever they are known from. */
export interface RunList {
  readonly rows: readonly RunRow[];
  /** How many runs each view has; undefined where only the service could count them. */
  readonly counts: Partial<Record<RunsView, number>>;
  /** The query that says how fresh the list is. */
  readonly query: Read<unknown> | null;
  readonly damage: readonly Damage[];
  /** Older runs, where there are any. */
  readonly older: More | null;
}

/** How many of these runs each view holds. `now` in ms. */
export function countViews(
  rows: readonly RunRow[],
  now: number,
  me: string | null,
): Partial<Record<RunsView, number>> {
  return Object.fromEntries(
    views.map((view) => [view, rows.filter((run) => isInView(run, view, now, me)).length]),
  );
}

/** Rows of the service, with what this browser knows of the same runs beside it. Ids that come twice are taken once. */
export function rowsOf(runs: readonly (Received<RunSummary> | undefined)[], api: Api): readonly RunRow[] {
  const known = new Map(api.history.runs.get().map((run) => [run.runId, run]));
  const seen = new Set<string>();
  return runs.flatMap((run) => {
    const row = run ? rowOfService(run) : null;
    if (!row || seen.has(row.runId)) return [];
    seen.add(row.runId);
    const own = known.get(row.runId);
    return own?.provenance === "started-here" ? [{ ...row, source: own.provenance }] : [row];
  });
}
