import { runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { parseTime } from "../../../lib/time/format.ts";
import type { RunFilters } from "../list-queries.ts";
import type { RunRow } from "../run-row.ts";

export const views = ["all", "moving", "failed", "mine"] as const;
export type RunsView = (typeof views)[number];

/** How far back, by the word of the address. */
export const spans = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000 } as const;
export type Span = keyof typeof spans;

/** Everything that the list shows stands in its address: a copied one shows another person the same. */
export interface RunsSearch {
  view?: RunsView | undefined;
  /** One state, as on the wire. */
  state?: string | undefined;
  flow?: string | undefined;
  started?: Span | undefined;
  q?: string | undefined;
  /** The selected run. */
  run?: string | undefined;
}

/**
 * Reads the address. What is not understood is undefined, not absent: the router lays the result over the raw address,
 * where an absent key would leave the raw value standing.
 */
export function readRunsSearch(raw: Record<string, unknown>): RunsSearch {
  const text = (key: string) => {
    const value = raw[key];
    const isText = typeof value === "string" || typeof value === "number";
    return isText && value !== "" ? String(value) : undefined;
  };
  const view = views.find((one) => one === raw.view && one !== "all");
  const started = Object.keys(spans).find((one): one is Span => one === raw.started);
  return { view, state: text("state"), flow: text("flow"), started, q: text("q"), run: text("run") };
}

const movingStates = Object.keys(runStates).filter((state) => isMoving(state));
const step = 300_000;

/**
 * What the service is asked for. `now` in ms; the beginning of a span moves in steps of five minutes, so that a poll
 * asks the same question as the one before it.
 */
export function filtersOf(search: RunsSearch, now: number, withState: boolean): RunFilters {
  const state = withState ? (search.state ?? statesOf(search.view)) : undefined;
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

function statesOf(view: RunsView | undefined): string | undefined {
  if (view === "moving") return movingStates.join(",");
  return view === "failed" ? "FAILED" : undefined;
}

/** Whether a run belongs to a view; the failed ones of the last 24 h only. */
export function isInView(run: RunRow, view: RunsView, now: number, me: string | null): boolean {
  if (view === "moving") return isMoving(run.state);
  if (view === "mine") return run.userId !== null && run.userId === me;
  if (view === "failed")
    return run.state === "FAILED" && now - (parseTime(run.createdTs) ?? 0) <= spans["24h"];
  return true;
}
