import { itemSpans } from "./item-spans.ts";
import { known, type SpanPart } from "./part-span.ts";
import type { TracedNode, TracedStep } from "./read-tree.ts";
import type { SpanEvent } from "./span.ts";
import { keyOfNodeStep, nodeKey, wholeKey } from "./span-keys.ts";

/** What the journal says of one run. */
export interface TracedRun {
  /** Lines of its log, see `readMarks`. */
  readonly marks: readonly string[];
  readonly steps: readonly TracedStep[];
  readonly nodes: ReadonlyMap<string, TracedNode>;
  readonly finishedAt: number;
  readonly withContents: boolean;
}

interface Node {
  readonly start: number;
  end: number | null;
  failure: string | null;
  readonly events: SpanEvent[];
}

/**
 * Spans of a run's nodes, and of the items of each `each`: those that began, from the line that says so to the one that says how
 * they ended. What is skipped has none. A node that the run's end cut off ends with it.
 */
export function nodeSpans(run: TracedRun): readonly SpanPart[] {
  const nodes = new Map<string, Node>();
  for (const line of run.marks) {
    const { at, id, text } = readMark(line);
    const node = nodes.get(id);
    if (text === "started") {
      if (node === undefined) nodes.set(id, { start: at, end: null, failure: null, events: [] });
    } else if (node !== undefined) {
      if (text.startsWith("finished in ")) node.end = at;
      else if (text.startsWith("failed: ")) [node.end, node.failure] = [at, text.slice("failed: ".length)];
    }
  }
  const waitIn = (step: TracedStep) => waitOf(step, run.finishedAt);
  for (const step of run.steps) {
    const id = step.key.split("/")[0] ?? "";
    const node = nodes.get(id);
    const event = node === undefined || keyOfNodeStep(step.key) !== nodeKey(id) ? null : waitIn(step);
    if (event !== null) node?.events.push(event);
  }
  const items = [...nodes].flatMap(([id, { start, end }]) => {
    const { concurrency = null } = run.nodes.get(id) ?? {};
    if (concurrency === null) return [];
    const node = { id, start, end: end ?? run.finishedAt, concurrency };
    return itemSpans(node, run.steps, run.withContents, waitIn);
  });
  const own = [...nodes].map(([id, { start, end, failure, events }]) => ({
    ...{ key: nodeKey(id), above: wholeKey, name: `node ${id}`, start, end: end ?? run.finishedAt, events },
    kind: "internal" as const,
    attributes: known({
      "wheelhouse.node.id": id,
      "wheelhouse.node.type": run.nodes.get(id)?.type ?? null,
      "wheelhouse.node.state": failure !== null ? "failed" : end === null ? "cancelled" : "done",
      "error.type": failure === null ? null : "node_failed",
    }),
    error: failure === null ? null : { message: run.withContents ? failure : null },
  }));
  return [...own, ...items];
}

/** What the engine says of a run itself: that it was held back. */
export function heldEvents(marks: readonly string[]): readonly SpanEvent[] {
  return marks.map(readMark).flatMap(({ at, id, text }) => {
    const isHeld = id === "run" && (text.startsWith("waiting: ") || text.startsWith("waits: "));
    return isHeld ? [{ name: "wheelhouse.held", at, attributes: {} }] : [];
  });
}

function readMark(line: string) {
  const [, stamp = "", id = "", text = ""] = /^(\S+) \[(\w+)\] (.*)$/s.exec(line) ?? [];
  return { at: Date.parse(stamp), id, text };
}

/** By what the steps of nodes are named after. */
const waits: Readonly<Record<string, string>> = { tick: "pause", ask: "approval", retry: "retry" };

/** A wait of a node, as an event at its beginning. */
function waitOf({ key, created_at, finished_at }: TracedStep, runEnd: number): SpanEvent | null {
  const name = key.includes("/") ? (key.split("/").at(-1) ?? "").replace(/\d+$/, "") : "";
  const kind = waits[name];
  if (kind === undefined) return null;
  const at = created_at.getTime();
  const ms = Math.max(0, (finished_at?.getTime() ?? runEnd) - at);
  return {
    name: "wheelhouse.wait",
    at,
    attributes: { "wheelhouse.wait.kind": kind, "wheelhouse.wait.ms": ms },
  };
}
