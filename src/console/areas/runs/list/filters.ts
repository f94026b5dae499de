import { runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { parseTime } from "../../../lib/time/format.ts";
import type { RunFilters } from "../list-queries.ts";
import type { RunRow } from "../run-row.ts";
import { type RunsSearch, type RunsView, spans, views } from "../search.ts";

/** The states of a view, as the service is asked for them. */
const statesOf: Partial<Record<RunsView, string>> = {
  moving: Object.keys(runStates).filter(isMoving).join(","),
  failed: "FAILED",
};
const step = 300_000;

/**
 * What the service is asked for. `now` in ms; the beginning of a span moves in steps of five minutes, so that a poll
 * asks the same question as the one before it.
 */
export function filtersOf(search: RunsSearch, now: number, withState: boolean): RunFilters {
  const state = withState ? (search.state ?? (search.view && statesOf[search.view])) : undefined;
  const span = search.started ?? (withState && search.view === "failed" ? "24h" : undefined);
  return {
    ...(search.flow !== undefined && { saved_item_id: search.flow }),
    ...(search.q !== undefined && { search: search.q }),
    ...(state !== undefined && { state }),
    ...(span !== undefined && {
      created_after: new Date(Math.floor(now / step) * step - spans[span]).toISOString(),
    }),
  };
}

/** Whether anything narrows the list. */
export const isNarrowed = ({ view, state, flow, started, q }: RunsSearch): boolean =>
  [view, state, flow, started, q].some((one) => one !== undefined);

/** Whether a run belongs to a view; the failed ones of the last 24 h only. */
export function isInView(run: RunRow, view: RunsView, now: number, me: string | null): boolean {
  if (view === "moving") return isMoving(run.state);
  if (view === "mine") return run.userId !== null && run.userId === me;
  if (view === "failed")
    return run.state === "FAILED" && now - (parseTime(run.createdTs) ?? 0) <= spans["24h"];
  return true;
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
