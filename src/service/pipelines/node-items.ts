import type { JsonValue } from "../json.ts";
import {
  childOf,
  isOver,
  type NodeProgress,
  type NodeState,
  type RunState,
  type StepsOfRun,
  triesOf,
  waitsOf,
} from "./node-states.ts";

/** What the journal says of one item of `each`. */
export interface ItemState
  extends Pick<NodeState, "state" | "tries" | "mostTries" | "waits" | "endedAt" | "error" | "childId"> {
  /** From 0. */
  readonly index: number;
}

/**
 * What the journal says of the items of an `each`, in their order. It takes them in order, so many at a time: of those that
 * have not ended the first ones are at work.
 * @param steps the node's own
 * @param items null where they are not known: then those of which there is a step
 */
export function itemStates(
  { node, state }: NodeState,
  run: RunState,
  steps: StepsOfRun,
  items: readonly JsonValue[] | null,
): readonly ItemState[] {
  const { config, id } = node;
  if (config.type !== "each") return [];
  const below = new Map<number, ReturnType<StepsOfRun["below"]>[number][]>();
  for (const step of steps.below(id)) {
    const index = Number(step.key.split("/")[1]);
    if (!Number.isInteger(index)) continue;
    const known = below.get(index);
    if (known) known.push(step);
    else below.set(index, [step]);
  }
  const length = items?.length ?? Math.max(-1, ...below.keys()) + 1;
  const hasBegun = state !== "pending" && state !== "not_run" && state !== "skipped";
  let open = 0;
  return Array.from({ length }, (_, index) => {
    const prefix = `${id}/${index}`;
    const own = below.get(index) ?? [];
    const end = steps.get(prefix);
    const child = own.find(({ childId }) => childId !== null);
    const waits = isOver(run.state) || end ? [] : waitsOf(own);
    const isFirst = open < config.concurrency;
    if (end?.state !== "done") open++;
    const itemState = progress();
    return {
      ...{ index, state: itemState, waits, ...triesOf(steps, prefix, config.do, itemState) },
      endedAt: end?.finishedAt ?? null,
      error: itemState === "failed" ? (end?.error ?? child?.error ?? null) : null,
      childId: childOf(own, `${prefix}/`),
    };

    function progress(): NodeProgress {
      if (end) return end.state === "failed" ? "failed" : "done";
      if (child?.state === "failed") return "failed";
      if (!hasBegun || !isFirst) return isOver(run.state) ? "not_run" : "pending";
      if (isOver(run.state)) return "cancelled";
      return waits.length > 0 ? "waiting" : "running";
    }
  });
}
