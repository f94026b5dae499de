import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "../json.ts";
import { nodeType } from "../nodes/registry.ts";
import { askFaults, type Refusal } from "./again-refusals.ts";
import { type NodeDefinition, nameOf } from "./definition.ts";
import { filledKey, type NodeProgress } from "./node-states.ts";
import type { Plan, PlannedNode } from "./plan.ts";

/** What a run that has ended knows of its nodes. */
export interface PastRun {
  /** Of the flow as it was run. */
  readonly plan: Plan;
  readonly progress: ReadonlyMap<string, NodeProgress>;
  /** Keys of the steps that are recorded as done. */
  readonly recorded: readonly string[];
  /** Outputs of nodes that have ended without a record and are known all the same; null: skipped. */
  readonly known: ReadonlyMap<string, JsonObject | null>;
  /** How many items the list of an `each` has, where that is known. */
  readonly listSizes: ReadonlyMap<string, number>;
  /** Nodes whose file was deleted since. */
  readonly lostFiles: ReadonlySet<string>;
}

/** From where a run goes again, and what is different. */
export interface Again {
  /** Null: from where it had stopped. */
  readonly from: { readonly node: string; readonly item: number | null } | null;
  /** Names of inputs whose values differ. */
  readonly changedInputs: ReadonlySet<string>;
  /** Of the node `from`, in place of doing it. */
  readonly output: JsonObject | null;
  /** The run below the node `from` goes again itself: its plan. */
  readonly below: { readonly runId: string; readonly plan: AgainPlan } | null;
  /** What people agreed to in this run does not hold any more: a step above, behind the one that started it, gets other values. */
  readonly isOutdated: boolean;
  /** Nodes of the flow that is run now that ask people to agree, as `nodesThatAsk` says it. */
  readonly asking: ReadonlySet<string>;
  /** Nodes that did so in the flows that they started in the past run, as `nodesThatAsked` says it. */
  readonly asked: ReadonlySet<string>;
  /** Nodes whose flows, or those that these started, have changed since, as `nodesWithOthers` says it. */
  readonly othersBelow: ReadonlySet<string>;
}

/** What becomes of a node. */
export interface AgainNode {
  readonly node: PlannedNode;
  readonly state: "reused" | "given" | "again" | "first_time";
  /** Of what is reused: it had been passed over. */
  readonly wasSkipped: boolean;
  readonly outside: boolean;
  readonly mayRepeat: boolean;
  readonly items: { readonly reused: number; readonly total: number | null } | null;
  readonly runId: string | null;
}

export interface AgainPlan {
  /** In the order of the flow. */
  readonly nodes: readonly AgainNode[];
  readonly refusals: readonly Refusal[];
  /** Whether anything is done with other values than before, not only once more. */
  readonly differs: boolean;
  /** Whether what people agreed to in the run below does not hold any more: to be planned with that. */
  readonly outdatesBelow: boolean;
  /** Keys of steps that the new run takes over as they are. */
  readonly copied: readonly string[];
  /** Steps that it has from the beginning beside those. */
  readonly given: readonly { readonly key: string; readonly output: JsonValue }[];
}

/**
 * Works out what becomes of each node when a run goes again. What depends on the chosen node, or on a changed input, is
 * done again, and whoever agreed to something else is asked again; all else that had ended is reused, of an unfinished
 * `each` the items that had; a file that was deleted since is written again.
 * @param plan of the flow that is run now: the same as that of the past, or another version of it
 */
export function planAgain(past: PastRun, plan: Plan, again: Again): AgainPlan {
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
    if (affected.has(node.id) || isSame(past, node) || !isOver(past, node.id)) continue;
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
    (affected.has(id) || !isOver(past, id)) && id !== replaced && (below === null || id !== chosen?.id);
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

  const steps = recordedSteps(past.recorded);
  const copied: string[] = [];
  const given: { key: string; output: JsonValue }[] = [];
  const nodes = [...plan.nodes.values()].map((node): AgainNode => {
    const { id } = node;
    const own = steps.get(id);
    const wasSkipped = past.progress.get(id) === "skipped" || past.known.get(id) === null;
    const what = { node, items: null, runId: null, wasSkipped };
    const inside = { outside: false, mayRepeat: false };
    if (id === replaced) {
      given.push({ key: id, output });
      return { ...what, ...inside, state: "given" };
    }
    // It writes the same again, so nothing behind it has to be done again.
    const isLost = !affected.has(id) && past.lostFiles.has(id);
    if (isLost) copied.push(...past.recorded.filter((key) => key === filledKey(id)));
    if (!affected.has(id) && isOver(past, id) && !isLost) {
      if (own?.isDone) {
        copied.push(id, ...own.below);
        return { ...what, ...inside, state: "reused" };
      }
      const value = past.known.get(id);
      if (value !== undefined) {
        given.push({ key: id, output: value });
        return { ...what, ...inside, state: "reused" };
      }
    }
    const hasBegun = begun.has(past.progress.get(id) ?? "pending");
    const state = hasBegun ? "again" : "first_time";
    if (below !== null && id === from?.node) {
      const isOutside = (is: (node: AgainNode) => boolean) => below.plan.nodes.some(is);
      const items = from.item === null ? null : takeItems(node, from.item);
      const outside = isOutside((inner) => inner.outside) || (items !== null && reachesOutside(node.config));
      return {
        ...{ node, state: "again", outside, items, wasSkipped, runId: below.runId },
        mayRepeat: isOutside((inner) => inner.mayRepeat),
      };
    }
    const goesOn = affected.has(id) ? id === from?.node && from.item !== null : isSame(past, node);
    const items =
      node.config.type === "each" && goesOn ? takeItems(node, from?.node === id ? from.item : null) : null;
    const outside = reachesOutside(node.config);
    return { ...what, state, outside, mayRepeat: outside && hasBegun, items };
  });

  /** Reuses the items of an `each` that had ended, but for one. */
  function takeItems({ id }: PlannedNode, except: number | null) {
    const done = [...(steps.get(id)?.items.keys() ?? [])].filter((item) => item !== except);
    // Its items are those of the list that it had.
    copied.push(...past.recorded.filter((key) => key === filledKey(id)));
    for (const item of done) copied.push(...(steps.get(id)?.items.get(item) ?? []));
    const isGiven = except !== null && output !== null;
    if (isGiven) given.push({ key: `${id}/${except}`, output: output.value ?? null });
    return { reused: done.length + (isGiven ? 1 : 0), total: past.listSizes.get(id) ?? null };
  }

  if (refusals.length === 0 && nodes.every(({ state }) => state === "reused")) {
    const message = "Nothing would be done again: choose a step, or change an input.";
    refusals.push({ message, param: "from" });
  }
  const outdatesBelow = below !== null && from !== null && outdated.has(from.node);
  return { nodes, refusals, differs: differing.size > 0, outdatesBelow, copied, given };
}

/** Nodes that had been at work, or may have been. */
const begun: ReadonlySet<NodeProgress> = new Set(["done", "failed", "cancelled", "running", "waiting"]);

/** Whether it came to an end that another run can go on from. */
function isOver({ progress }: PastRun, id: string): boolean {
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
function isSame({ plan }: PastRun, node: PlannedNode): boolean {
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

/** Whether anything outside of the run learns that this node is done. */
export function reachesOutside(config: {
  readonly type: string;
  readonly do?: { readonly type: string };
}): boolean {
  if (config.do !== undefined) return reachesOutside(config.do);
  return nodeType(config.type)?.staysInside !== true;
}

interface RecordedNode {
  readonly isDone: boolean;
  /** Keys below it, its items' too. */
  readonly below: readonly string[];
  /** Keys of each item that is done, by its index. */
  readonly items: ReadonlyMap<number, readonly string[]>;
}

function recordedSteps(keys: readonly string[]): ReadonlyMap<string, RecordedNode> {
  const all = new Map<string, { isDone: boolean; below: string[]; items: Map<number, string[]> }>();
  const done = new Set(keys);
  for (const key of keys) {
    const [id = "", item = ""] = key.split("/", 2);
    const node = all.get(id) ?? { isDone: done.has(id), below: [], items: new Map<number, string[]>() };
    all.set(id, node);
    if (key === id) continue;
    node.below.push(key);
    if (!/^\d+$/.test(item) || !done.has(`${id}/${item}`)) continue;
    const index = Number(item);
    node.items.set(index, [...(node.items.get(index) ?? []), key]);
  }
  return all;
}
