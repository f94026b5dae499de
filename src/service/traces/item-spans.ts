import { known, type SpanPart } from "./part-span.ts";
import type { TracedStep } from "./read-tree.ts";
import type { SpanEvent } from "./span.ts";
import { itemKey, nodeKey } from "./span-keys.ts";

/** An `each` as it ran; times in milliseconds since 1970. */
export interface TracedEach {
  readonly id: string;
  readonly start: number;
  /** Of the node, or of its run where that cut it off. */
  readonly end: number;
  /** How many items it takes at the same time. */
  readonly concurrency: number;
}

interface Item {
  readonly index: number;
  readonly steps: TracedStep[];
  /** The step that says how it ended. */
  done: TracedStep | null;
}

/**
 * Spans of those items of an `each` of which a step is recorded. Where one began no step says: an item begins when a place
 * becomes free, as items are taken in their order, and no later than its first own step. One that the end of its run cut off ends with it.
 * @param steps of the run, in the order of their beginning; those of other nodes are left out
 * @param waitOf the wait that a step was, as an event
 */
export function itemSpans(
  node: TracedEach,
  steps: readonly TracedStep[],
  withContents: boolean,
  waitOf: (step: TracedStep) => SpanEvent | null,
): readonly SpanPart[] {
  const places = Array.from({ length: node.concurrency }, () => node.start);
  return itemsOf(node.id, steps).map(({ index, steps: own, done }) => {
    const free = places.indexOf(Math.min(...places));
    const first = own[0]?.created_at.getTime() ?? Number.POSITIVE_INFINITY;
    const start = Math.max(node.start, Math.min(places[free] ?? node.start, first));
    const end = done === null ? node.end : (done.finished_at ?? done.created_at).getTime();
    places[free] = end;
    const isFailed = done?.state === "failed";
    return {
      ...{ key: itemKey(node.id, index), above: nodeKey(node.id), name: `item ${index} of ${node.id}` },
      ...{ kind: "internal" as const, start, end, events: own.flatMap((step) => waitOf(step) ?? []) },
      attributes: known({
        "wheelhouse.node.id": node.id,
        "wheelhouse.item.index": index,
        "wheelhouse.node.state": isFailed ? "failed" : done === null ? "cancelled" : "done",
        "error.type": isFailed ? "node_failed" : null,
      }),
      error: isFailed ? { message: withContents ? done.error : null } : null,
    };
  });
}

/** In the order of the items. */
function itemsOf(node: string, steps: readonly TracedStep[]): readonly Item[] {
  const items = new Map<number, Item>();
  for (const step of steps) {
    const [id, index = "", ...inside] = step.key.split("/");
    if (id !== node || !/^\d+$/.test(index)) continue;
    const item = items.get(Number(index)) ?? { index: Number(index), steps: [], done: null };
    items.set(item.index, item);
    if (inside.length === 0) item.done = step;
    else item.steps.push(step);
  }
  return [...items.values()].sort((one, other) => one.index - other.index);
}
