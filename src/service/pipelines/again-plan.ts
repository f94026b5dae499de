import type { JsonObject, JsonValue } from "../json.ts";
import { nodeType } from "../nodes/registry.ts";
import { type Affected, affectedBy, isReusable, isSame } from "./again-affected.ts";
import type { Refusal } from "./again-refusals.ts";
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
 * Works out what becomes of each node when a run goes again. What is not affected and had ended is reused, of an unfinished
 * `each` the items that had; a file that was deleted since is written again.
 * @param plan of the flow that is run now: the same as that of the past, or another version of it
 */
export function planAgain(past: PastRun, plan: Plan, again: Again): AgainPlan {
  const { from, below } = again;
  const { ids: affected, outdated, differs, refusals: found } = affectedBy(past, plan, again);
  const { nodes, copied, given } = nodesAgain(past, plan, again, affected);
  const refusals = [...found];
  if (refusals.length === 0 && nodes.every(({ state }) => state === "reused")) {
    const message = "Nothing would be done again: choose a step, or change an input.";
    refusals.push({ message, param: "from" });
  }
  const outdatesBelow = below !== null && from !== null && outdated.has(from.node);
  return { nodes, refusals, differs, outdatesBelow, copied, given };
}

/** What becomes of each node, and what the new run has of it from the beginning. */
function nodesAgain(
  past: PastRun,
  plan: Plan,
  { from, output, below }: Again,
  affected: Affected["ids"],
): Pick<AgainPlan, "nodes" | "copied" | "given"> {
  const replaced = output !== null && from?.item === null ? from.node : null;
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
    if (!affected.has(id) && isReusable(past, id) && !isLost) {
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
  return { nodes, copied, given };

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
}

/** Nodes that had been at work, or may have been. */
const begun: ReadonlySet<NodeProgress> = new Set(["done", "failed", "cancelled", "running", "waiting"]);

/** Whether anything outside of the run learns that this node is done. */
function reachesOutside(config: { readonly type: string; readonly do?: { readonly type: string } }): boolean {
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
