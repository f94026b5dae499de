import { announcesRetry, isWaiting, type LogLine, placeWait } from "./line.ts";

/** `waiting`: for a place among what the service does at a time; it has begun, and its own time stands still. */
export type NodeProgress = "running" | "waiting" | "done" | "failed" | "skipped";

/** One node as its lines tell it. Times in ms since 1970. */
export interface NodeSpan {
  readonly node: string;
  readonly from: number;
  /** The last line seen of it. */
  readonly to: number;
  readonly progress: NodeProgress;
  /** While it is waiting, for what, in the words of its last line; else null. */
  readonly waitsFor: string | null;
  /** When it tried again. */
  readonly retries: readonly number[];
  readonly lines: number;
  /** 0-based index of its first line. */
  readonly firstLine: number;
  /** 0-based index of its first line of an error; null for none. */
  readonly firstError: number | null;
}

/** What the log tells of the run's nodes. */
export interface ReadTimeline {
  readonly spans: readonly NodeSpan[];
  /** How many nodes the spans leave out. */
  readonly leftOut: number;
}

/** More nodes than this are left out of the picture and counted. */
export const mostNodes = 200;
const mostRetries = 50;

const ends: readonly [RegExp, NodeProgress][] = [
  [/^(failed|gave up|error)\b/i, "failed"],
  [/^(skipped|not started)\b/i, "skipped"],
  [/^(finished|completed|done|succeeded)\b/i, "done"],
];
const retry = /\bretry\b/i;
/** How far into a line a further try is looked for: a line may be megabytes long. */
const retryWindow = 300;

type Building = { -readonly [K in keyof NodeSpan]: NodeSpan[K] } & { retries: number[] };

/**
 * Tells the nodes of a run from its log lines, in order of their first line. Inferred: the interface reports no nodes
 * (§2.2), so lines without a time or a node are passed over, and what ended is known only where a line says so.
 */
export class Timeline {
  readonly #nodes = new Map<string, Building>();
  #count = 0;

  /** Reads lines on from where the last call ended. */
  add(lines: Iterable<LogLine>): this {
    for (const line of lines) {
      const index = this.#count++;
      if (line.node === null || line.at === null || isWaiting(line)) continue;
      const known = this.#nodes.get(line.node);
      if (known) extend(known, line, line.at, index);
      else this.#nodes.set(line.node, begin(line.node, line, line.at, index));
    }
    return this;
  }

  get spans(): readonly NodeSpan[] {
    return [...this.#nodes.values()].slice(0, mostNodes);
  }

  /** How many nodes the picture leaves out. */
  get leftOut(): number {
    return Math.max(0, this.#nodes.size - mostNodes);
  }

  /** How many lines were read. */
  get length(): number {
    return this.#count;
  }
}

/** The nodes of a whole log. */
export function timeline(lines: Iterable<LogLine>): readonly NodeSpan[] {
  return new Timeline().add(lines).spans;
}

/** Which nodes of a run that goes on wait for a place, as a sentence; null where none does. */
export function waitingNodes(spans: readonly NodeSpan[]): string | null {
  const [first, ...others] = spans.filter(({ progress }) => progress === "waiting");
  if (first === undefined) return null;
  return others.length === 0
    ? `${first.node} is ${first.waitsFor}.`
    : `${others.length + 1} nodes are waiting for a free place.`;
}

function begin(node: string, line: LogLine, at: number, index: number): Building {
  const span: Building = {
    node,
    from: at,
    to: at,
    progress: "running",
    waitsFor: null,
    retries: [],
    lines: 0,
    firstLine: index,
    firstError: null,
  };
  extend(span, line, at, index);
  return span;
}

function extend(span: Building, line: LogLine, at: number, index: number): void {
  span.from = Math.min(span.from, at);
  span.to = Math.max(span.to, at);
  span.lines++;
  if (line.level === "error") span.firstError ??= index;
  const start = line.text.slice(0, retryWindow);
  const isAnnounced = announcesRetry(start);
  const isRetry = isAnnounced || retry.test(start);
  const end = isAnnounced ? undefined : ends.find(([words]) => words.test(start));
  // A later line of the node means that it goes on, as in a loop; a failure stays unless a try after it succeeds.
  span.waitsFor = placeWait(start);
  if (end) span.progress = end[1];
  else if (span.waitsFor !== null) span.progress = "waiting";
  else if (span.progress !== "failed" || isRetry) span.progress = "running";
  if (isRetry && span.retries.length < mostRetries) span.retries.push(at);
}
