import { textParam, wordParam } from "../../lib/search-params.ts";

/** Parts of the runs list that are tabs. */
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

/** Reads the address of the runs list; what is not understood is undefined. */
export function readRunsSearch(raw: Record<string, unknown>): RunsSearch {
  const view = views.find((one) => one === raw.view && one !== "all");
  const started = Object.keys(spans).find((one): one is Span => one === raw.started);
  const [state, flow, q, run] = [raw.state, raw.flow, raw.q, raw.run].map(textParam);
  return { view, state, flow, started, q, run };
}

/** Parts of a run that are tabs where there is little room. */
export const runTabs = ["log", "nodes", "inputs", "outputs", "files", "sub-runs"] as const;
export type RunTab = (typeof runTabs)[number];

/** What of a run is shown. */
export interface RunSearch extends LogAddress {
  tab?: RunTab | undefined;
  /** Lines of the log, 1-based: `12` or `12-40`. */
  line?: LineAddress | undefined;
  /** The node of which is shown what went in and came out. */
  node?: string | undefined;
}

/** Reads the address of a run page. */
export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  const tab = wordParam(raw.tab, ...runTabs);
  const lines = parseRange(raw.line);
  return { tab, line: lines && formatRange(lines), node: textParam(raw.node), ...readLogAddress(raw) };
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

/** Lines as they stand in an address. */
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

function readLogAddress(raw: Record<string, unknown>): LogAddress {
  const names = [raw.nodes].flat().flatMap((one) => textParam(one) ?? []);
  return {
    level: wordParam(raw.level, "warning", "error"),
    nodes: names[0] === undefined ? undefined : names,
    q: textParam(raw.q),
    regex: raw.regex === true || undefined,
  };
}

/** What is started, and with what it begins. */
export interface StartSearch {
  /** The flow to start. */
  flow?: string | undefined;
  /** Fill in what this run was given. */
  from?: string | undefined;
  /** How the body is written; the form where nothing is said. */
  as?: "json" | undefined;
}

/** Reads the address of the start page. */
export function readStartSearch(raw: Record<string, unknown>): StartSearch {
  return { flow: textParam(raw.flow), from: textParam(raw.from), as: wordParam(raw.as, "json") };
}

/** From where a run goes again, and with which flow; what is typed for it is a draft. */
export interface AgainSearch {
  /** The step; left out: where the run had stopped. */
  node?: string | undefined;
  /** Of an `each`: the item, from 0. */
  item?: number | undefined;
  /** The flow as it is now; left out: as it was run. */
  flow?: "current" | undefined;
}

/** Reads the address of the page that runs a run again. */
export function readAgainSearch(raw: Record<string, unknown>): AgainSearch {
  const { item } = raw;
  return {
    node: textParam(raw.node),
    item: typeof item === "number" && Number.isSafeInteger(item) && item >= 0 ? item : undefined,
    flow: wordParam(raw.flow, "current"),
  };
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

/** Reads the address of a comparison. */
export function readCompareSearch(raw: Record<string, unknown>): CompareSearch {
  return {
    a: textParam(raw.a),
    b: textParam(raw.b),
    show: wordParam(raw.show, "all"),
    exact: raw.exact === true || undefined,
    tab: wordParam(raw.tab, "log"),
  };
}
