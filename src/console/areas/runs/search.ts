import { runStates } from "../../../contract/states.ts";
import { isMoving } from "../../lib/run-state.ts";
import { textParam } from "../../lib/search-params.ts";
import { parseTime } from "../../lib/time/format.ts";
import type { RunFilters } from "./queries.ts";
import type { RunRow } from "./run-row.ts";

/** Parts of a run that are tabs where there is little room. */
export const runTabs = ["log", "inputs", "outputs", "files", "sub-runs"] as const;
export type RunTab = (typeof runTabs)[number];

export interface RunSearch extends LogAddress {
  tab?: RunTab | undefined;
  /** Lines of the log, 1-based: `12` or `12-40`. */
  line?: LineAddress | undefined;
}

/** Reads the address of a run page; what is not understood is undefined, so that the raw value does not stand. */
export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  const tab = runTabs.find((one) => one === raw.tab);
  const lines = parseRange(raw.line);
  return { tab, line: lines && formatRange(lines), ...readLogAddress(raw) };
}

/** Lines of a log, 1-based, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** How lines stand in an address: `12`, or `12-40`. */
export type LineAddress = number | string;

/** Reads lines from an address; undefined where they cannot be read. Ends in either order. */
export function parseRange(raw: unknown): LineRange | undefined {
  const match = /^([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/.exec(textParam(raw) ?? "");
  if (!match) return undefined;
  const one = Number(match[1]);
  const other = Number(match[2] ?? one);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export function formatRange({ from, to }: LineRange): LineAddress {
  return from === to ? from : `${from}-${to}`;
}

/** What of a log is shown, as it stands in an address: a copied one shows another person the same. */
export interface LogAddress {
  level?: "warning" | "error" | undefined;
  /** Names of nodes; left out for all of them. */
  nodes?: readonly string[] | undefined;
  /** What is looked for in the lines, and whether it is a regular expression. */
  q?: string | undefined;
  regex?: true | undefined;
}

const levels = ["warning", "error"] as const;

/** Reads it from an address; what is not understood is undefined, so that the raw value does not stand. */
function readLogAddress(raw: Record<string, unknown>): LogAddress {
  const names = [raw.nodes].flat().flatMap((one) => textParam(one) ?? []);
  return {
    level: levels.find((one) => one === raw.level),
    nodes: names[0] === undefined ? undefined : names,
    q: textParam(raw.q),
    regex: raw.regex === true || undefined,
  };
}

export interface StartSearch {
  /** The flow to start. */
  flow?: string | undefined;
  /** Fill in what this run was given. */
  from?: string | undefined;
  /** How the body is written; the form where nothing is said. */
  as?: "json" | undefined;
}

/** Reads the address of the start page; what is not understood is undefined, so that the raw value does not stand. */
export function readStartSearch(raw: Record<string, unknown>): StartSearch {
  return { flow: textParam(raw.flow), from: textParam(raw.from), as: raw.as === "json" ? "json" : undefined };
}

/** What two runs are compared, and how; all of it stands in the address. */
export interface CompareSearch {
  a?: string | undefined;
  b?: string | undefined;
  /** Every line, not only those that differ. */
  show?: "all" | undefined;
  /** Times and ids as they are written. */
  exact?: true | undefined;
  /** Where there is no room for both. */
  tab?: "log" | undefined;
}

/** Reads the address of a comparison; what is not understood is undefined, so that the raw value does not stand. */
export function readCompareSearch(raw: Record<string, unknown>): CompareSearch {
  const id = (value: unknown) => {
    const isText = typeof value === "string" || typeof value === "number";
    return isText && value !== "" ? String(value) : undefined;
  };
  return {
    a: id(raw.a),
    b: id(raw.b),
    show: raw.show === "all" ? "all" : undefined,
    exact: raw.exact === true ? true : undefined,
    tab: raw.tab === "log" ? "log" : undefined,
  };
}

export const views = ["all", "moving", "failed", "mine"] as const;
export type RunsView = (typeof views)[number];

/** How far back, by the word of the address. */
export const spans = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000 } as const;
type Span = keyof typeof spans;

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
