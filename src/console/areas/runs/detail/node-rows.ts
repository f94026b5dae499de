import type { Received } from "../../../../contract/define.ts";
import type { NodeWait } from "../../../../contract/run-nodes.ts";
import { counted, grouped } from "../../../lib/words.ts";
import type { Tone } from "../../../ui/State.tsx";
import type { NodeSpan } from "../log/timeline.ts";
import type { NodeIn } from "./node-queries.ts";

/** How a node is drawn. `pending`: it has not begun; `cancelled`: the run was over first. */
export type RowProgress = NodeSpan["progress"] | "pending" | "cancelled";

/** One node of a run, from what the service says of it and from its lines: either may be missing. */
export interface NodeRow {
  readonly node: string;
  /** What its lines tell; null where it has none. */
  readonly span: NodeSpan | null;
  /** What the service says; null where it says nothing. */
  readonly served: NodeIn | null;
  readonly progress: RowProgress;
  /** While it waits, for what: words for its row. */
  readonly waitsFor: string | null;
  /** Of `each`: how many of its items are done. */
  readonly items: string | null;
}

/** The nodes as the log alone tells them. */
export function rowsOfLog(spans: readonly NodeSpan[]): readonly NodeRow[] {
  return spans.map((span) => ({
    node: span.node,
    span,
    served: null,
    progress: span.progress,
    waitsFor: placeWords(span.waitsFor),
    items: null,
  }));
}

/**
 * The nodes as the service tells them, with what the log adds: when they worked, and a wait for a place, which is in no
 * journal. In the order of their first lines, then those without any in the flow's order, then what has lines and is no node.
 * @param timeOf how a time (ISO 8601) is shown
 */
export function rowsOfService(
  nodes: readonly NodeIn[],
  spans: readonly NodeSpan[],
  timeOf: (iso: string) => string,
): readonly NodeRow[] {
  const spanOf = new Map(spans.map((span) => [span.node, span]));
  const place = new Map(spans.map((span, index) => [span.node, index]));
  const known = new Set(nodes.map(({ id }) => id));
  const rows = nodes.map((served): NodeRow => {
    const span = spanOf.get(served.id) ?? null;
    const progress = progressOf(served.state, span);
    const inLine =
      progress === "running" || progress === "waiting" ? placeWords(span?.waitsFor ?? null) : null;
    return {
      ...{ node: served.id, span, served },
      progress: inLine === null ? progress : "waiting",
      waitsFor: inLine ?? waitWords(served, timeOf),
      items: itemWords(served),
    };
  });
  rows.sort((a, b) => (place.get(a.node) ?? spans.length) - (place.get(b.node) ?? spans.length));
  return [...rows, ...rowsOfLog(spans.filter(({ node }) => !known.has(node)))];
}

const ofState: Readonly<Record<string, RowProgress>> = {
  pending: "pending",
  running: "running",
  waiting: "waiting",
  done: "done",
  failed: "failed",
  skipped: "skipped",
  cancelled: "cancelled",
  not_run: "pending",
};

function progressOf(state: string | null | undefined, span: NodeSpan | null): RowProgress {
  return ofState[state ?? ""] ?? span?.progress ?? "pending";
}

/** How a state of the service is drawn, where nothing else is known. */
export function progressOfState(state: string | null | undefined): RowProgress {
  return progressOf(state, null);
}

const tones: Readonly<Record<RowProgress, Tone>> = {
  running: "running",
  waiting: "waiting",
  done: "done",
  failed: "failed",
  skipped: "waiting",
  pending: "waiting",
  cancelled: "stopped",
};

/** Whether it has begun and not ended, by any word of the log. */
export const isOpen = (progress: RowProgress): boolean => progress === "running" || progress === "waiting";

/** The shape of a node's state. */
export function toneOfNode(progress: RowProgress): Tone {
  return tones[progress];
}

const words: Readonly<Record<string, string>> = {
  pending: "waiting for its turn",
  not_run: "not run",
  cancelled: "stopped with the run",
  unknown: "ended",
};

/** A node's state in a word or two; one that we do not know as it came. */
export function nodeStateWord(state: string | null | undefined): string {
  return words[state ?? ""] ?? (state || "unknown");
}

/** What one wait is for, without its ids: "a run", "an approval". */
function waitSubject(kind: string | null | undefined): string {
  switch (kind) {
    case "sub_run":
      return "a sub-run";
    case "agent_turn":
      return "an agent";
    case "approval":
      return "an approval";
    case "server_question":
      return "an answer to an MCP server";
    default:
      return kind || "something";
  }
}

/** One wait as a clause: "tries again at 10:15:04". */
export function waitClause(wait: Received<NodeWait>, timeOf: (iso: string) => string): string {
  const at = wait.until ? timeOf(wait.until) : null;
  if (wait.kind === "pause") return at === null ? "pauses" : `pauses until ${at}`;
  if (wait.kind === "retry") return at === null ? "tries again" : `tries again at ${at}`;
  return `waits for ${waitSubject(wait.kind)}${at === null ? "" : ` until ${at}`}`;
}

function waitWords({ waits, waits_count }: NodeIn, timeOf: (iso: string) => string): string | null {
  const [first] = waits ?? [];
  if (!first) return null;
  const count = waits_count ?? 1;
  return count > 1 ? `${counted(count, "item")} wait` : waitClause(first, timeOf);
}

function itemWords({ items }: NodeIn): string | null {
  if (!items) return null;
  const done = grouped(items.done ?? 0);
  return typeof items.total === "number" ? `${done} of ${counted(items.total, "item")}` : `${done} items`;
}

/** A wait for a place, in the few words that a row has room for. */
function placeWords(waitsFor: string | null): string | null {
  return waitsFor?.replace("waiting for a free place", "waits") ?? null;
}
