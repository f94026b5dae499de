import { isDeepStrictEqual } from "node:util";
import type { Again, PastRun } from "./again-plan.ts";
import { askFaults, type Refusal } from "./again-refusals.ts";
import { type NodeDefinition, nameOf } from "./definition.ts";
import type { Plan, PlannedNode } from "./plan.ts";

/** What of a flow is done again when a run goes again. */
export interface Affected {
  /** Nodes that are done again though they had ended. */
  readonly ids: ReadonlySet<string>;
  /** Nodes in which people agreed to something that does not hold any more. */
  readonly outdated: ReadonlySet<string>;
  /** Whether anything is done with other values than before, not only once more. */
  readonly differs: boolean;
  /** Why it does not go again like this. */
  readonly refusals: readonly Refusal[];
}

/**
 * Works out what is done again: what depends on the chosen node, or on a changed input, or has changed since without harm;
 * and whoever agreed to something else is asked again.
 */
export function affectedBy(past: PastRun, plan: Plan, again: Again): Affected {
  const { from, output, below } = again;
  const chosen = from === null ? undefined : plan.nodes.get(from.node);
  const replaced = output !== null && from?.item === null ? from.node : null;
  const refusals: Refusal[] = [...askFaults(past, plan, again)];

  const sources = [...plan.nodes.values()].filter((node) => changesInput(node, again.changedInputs));
  const affected = downstream(plan, [
    ...sources.map(({ id }) => id),
    ...(chosen === undefined ? [] : [chosen.id]),
  ]);
  if (from?.item != null && chosen !== undefined && past.plan.nodes.has(chosen.id) && !isSame(past, chosen)) {
    const message = `The step "${from.node}" has changed since, so none of its items can be reused: choose the whole step, or take the flow as it was.`;
    refusals.push({ message, param: "from.item" });
  }
  const remade = [...sources];
  for (const node of plan.nodes.values()) {
    if (affected.has(node.id) || isSame(past, node) || !isReusable(past, node.id)) continue;
    const later = downstream(plan, [node.id]);
    // It only works out a value, and so does all that reads it and is not done again anyway.
    const isHarmless = [...later].every((id) => affected.has(id) || plan.nodes.get(id)?.type.isRepeatable);
    if (isHarmless) {
      remade.push(node);
      for (const id of later) affected.add(id);
    } else refusals.push(changedSince(node.id));
  }
  // Also what is done again anyway, or had not ended: it is not what it was.
  const changed = [...plan.nodes.values()].filter((node) => !isSame(past, node));
  const others = [
    ...[...sources, ...changed].map(({ id }) => id),
    ...(chosen !== undefined && (output !== null || below?.plan.differs) ? [chosen.id] : []),
  ];
  /** Whether it starts its flow once more, as that is now. */
  const isAnew = (id: string) =>
    (affected.has(id) || !isReusable(past, id)) && id !== replaced && (below === null || id !== chosen?.id);
  let differing: ReadonlySet<string> = new Set();
  const outdated = new Set<string>();
  // What people agreed to holds for what they were asked about: not where a step behind it is done with other values.
  for (let size = -1; size !== affected.size; ) {
    size = affected.size;
    differing = downstream(plan, [...others, ...[...again.othersBelow].filter(isAnew)]);
    for (const id of new Set([...again.asking, ...again.asked])) {
      const behind = downstream(plan, [id]);
      const isOutdated =
        again.isOutdated || [...behind].some((later) => later !== id && differing.has(later));
      if (isOutdated) outdated.add(id);
      if (isOutdated) for (const later of behind) affected.add(later);
    }
  }
  // Only what stands before it matters to it.
  if (from?.item != null && chosen !== undefined && dependsOn(plan, chosen.id, remade)) {
    const message = `The list of "${from.node}" is made again, so none of its items can be reused: choose the whole step.`;
    refusals.push({ message, param: "from.item" });
  }
  // What was agreed to for the other items is as outdated. Where the run of one goes again itself they stay as they are,
  // and it asks again.
  const isRefused = refusals.some(({ param }) => param === "from.item");
  if (from?.item != null && below === null && outdated.has(from.node) && !isRefused) {
    const message = `What people agreed to in "${from.node}" does not hold for other values behind it, so none of its items can be reused: choose the whole step.`;
    refusals.push({ message, param: "from.item" });
  }
  return { ids: affected, outdated, differs: differing.size > 0, refusals };
}

/** Whether it came to an end that another run can go on from. */
export function isReusable({ progress }: PastRun, id: string): boolean {
  const state = progress.get(id);
  return state === "done" || state === "skipped" || state === "unknown";
}

function changesInput({ id, config }: PlannedNode, names: ReadonlySet<string>): boolean {
  return config.type === "input" && names.has(nameOf(id, config));
}

/** These nodes and all that cannot start before one of them has ended. */
function downstream({ nodes }: Plan, ids: readonly string[]): Set<string> {
  const found = new Set(ids);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { id, needs } of nodes.values()) if (needs.some((needed) => found.has(needed))) found.add(id);
  }
  return found;
}

function dependsOn(plan: Plan, id: string, sources: readonly PlannedNode[]): boolean {
  return sources.some((source) => source.id !== id && downstream(plan, [source.id]).has(id));
}

/** What may differ without another result. */
const besideTheResult: readonly string[] = ["description", "timeout_s", "retries", "concurrency"];

/** Whether a node does now what it did then. */
export function isSame({ plan }: PastRun, node: PlannedNode): boolean {
  const then = plan.nodes.get(node.id);
  return then !== undefined && isDeepStrictEqual(essence(then.config), essence(node.config));
}

/** What of it makes its result. */
export function essence(config: NodeDefinition) {
  const fields = Object.entries<unknown>({ ...config });
  return Object.fromEntries(fields.filter(([field]) => !besideTheResult.includes(field)));
}

function changedSince(id: string): Refusal {
  const message = `The step "${id}" has changed since, so what it gave cannot be reused: choose it or a step before it, or take the flow as it was.`;
  return { message, param: "from" };
}
