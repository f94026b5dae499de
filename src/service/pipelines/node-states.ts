import type { Step } from "../engine/kind.ts";
import type { JsonValue } from "../json.ts";
import type { ExecutionState } from "../store/schema.ts";
import type { Plan, PlannedNode } from "./plan.ts";

/** A recorded step as states are read from it. */
export interface StepFacts extends Pick<Step, "key" | "state" | "error" | "wakeAt" | "childId"> {
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Undefined: it is large, and was not read. Null: nothing, which is how a node's end says that it was skipped. */
  readonly output: JsonValue | undefined;
}

/** What one row says of a run. */
export interface RunState {
  readonly state: ExecutionState;
  readonly error: string | null;
  /** First claimed by a worker. */
  readonly startedAt: Date | null;
}

/**
 * `pending`: for its turn. `waiting`: for something outside, or for a time. `cancelled`: the run was over before it ended, and
 * it may have been at work. `not_run`: the run was over before it could begin. `unknown`: it has ended, and neither the journal
 * nor the flow tells whether it was done or skipped.
 */
export type NodeProgress =
  | "pending"
  | "running"
  | "waiting"
  | "done"
  | "failed"
  | "skipped"
  | "cancelled"
  | "not_run"
  | "unknown";

/** One thing that a node waits for. */
export interface NodeWait {
  /** `pause`, `retry`, `child`, or, of other nodes, what their step is called. */
  readonly kind: string;
  /** When it is over; null where that is not known beforehand. */
  readonly until: Date | null;
  /** What it has started: a run or a turn. */
  readonly childId: string | null;
  /** Of `each`: which of its items. */
  readonly item: number | null;
}

/** What the journal says of one node. */
export interface NodeState {
  readonly node: PlannedNode;
  readonly state: NodeProgress;
  /** Whether its end is in the journal. What is done and not recorded only worked out a value, and may do so again. */
  readonly isRecorded: boolean;
  /** How often it was tried, and how often it may be. */
  readonly tries: number;
  readonly mostTries: number;
  readonly waits: readonly NodeWait[];
  /** When the journal says that it began; null where it does not. */
  readonly begunAt: Date | null;
  /** When its end was recorded. */
  readonly endedAt: Date | null;
  readonly error: string | null;
  /** The run or turn that it has started itself, also after that has ended. */
  readonly childId: string | null;
}

/** Steps by key, and those below each node by its id. */
export class StepsOfRun {
  readonly byKey: ReadonlyMap<string, StepFacts>;
  readonly #below = new Map<string, StepFacts[]>();

  constructor(steps: Iterable<StepFacts>) {
    const byKey = new Map<string, StepFacts>();
    for (const step of steps) {
      byKey.set(step.key, step);
      const slash = step.key.indexOf("/");
      if (slash < 0) continue;
      const id = step.key.slice(0, slash);
      const known = this.#below.get(id);
      if (known) known.push(step);
      else this.#below.set(id, [step]);
    }
    this.byKey = byKey;
  }

  /** The steps `<id>/…`. */
  below(id: string): readonly StepFacts[] {
    return this.#below.get(id) ?? [];
  }

  get(key: string): StepFacts | undefined {
    return this.byKey.get(key);
  }
}

/** The step that keeps what a node's fields were filled in with, where that may come out differently the next time. */
export const filledKey = (id: string): string => `${id}/filled`;

/**
 * Nodes that have certainly ended: their end is recorded, or something that needed them has begun. Of a run that is done
 * that is every node.
 */
export function endedNodes(plan: Plan, run: RunState, steps: StepsOfRun): ReadonlySet<string> {
  if (plan.faults.length > 0) return new Set();
  if (run.state === "done") return new Set(plan.nodes.keys());
  const ended = new Set<string>();
  const add = (id: string) => {
    if (ended.has(id)) return;
    ended.add(id);
    for (const needed of plan.nodes.get(id)?.needs ?? []) add(needed);
  };
  for (const { id, needs } of plan.nodes.values()) {
    const end = steps.get(id);
    if (end?.state === "done") add(id);
    else if (end || steps.below(id).length > 0) for (const needed of needs) add(needed);
  }
  return ended;
}

/**
 * What the journal says of each node, in the order of the flow.
 * @param plan of the flow as it was run
 * @param workedOut how nodes have ended of which there is no record; `NodeValues` says it
 */
export function nodeStates(
  plan: Plan,
  run: RunState,
  steps: StepsOfRun,
  workedOut: ReadonlyMap<string, "done" | "skipped" | "unknown">,
): readonly NodeState[] {
  const ended = endedNodes(plan, run, steps);
  const failure = run.state === "failed" ? failureOf(run.error) : null;
  return [...plan.nodes.values()].map((node) => {
    const end = steps.get(node.id);
    const waits = run.state === "done" || end ? [] : waitsOf(steps.below(node.id));
    const isFailed = end?.state === "failed" || (!end && failure?.node === node.id);
    const state = isFailed ? "failed" : progressOf(node, { run, steps, ended, workedOut, waits });
    const begun = steps.get(`${node.id}/begun`)?.output;
    return {
      ...{ node, state, isRecorded: end !== undefined },
      ...triesOf(steps, node.id, node.config, state),
      waits: state === "waiting" || state === "running" ? waits : [],
      begunAt: typeof begun === "number" ? new Date(begun) : null,
      endedAt: end?.finishedAt ?? null,
      error: isFailed ? (end?.error ?? failure?.reason ?? null) : null,
      childId: childOf(steps.below(node.id), `${node.id}/`),
    };
  });
}

interface Seen {
  readonly run: RunState;
  readonly steps: StepsOfRun;
  readonly ended: ReadonlySet<string>;
  readonly workedOut: ReadonlyMap<string, "done" | "skipped" | "unknown">;
  readonly waits: readonly NodeWait[];
}

function progressOf(node: PlannedNode, { run, steps, ended, workedOut, waits }: Seen): NodeProgress {
  const end = steps.get(node.id);
  if (end) return end.output === null ? "skipped" : "done";
  if (ended.has(node.id)) return workedOut.get(node.id) ?? "unknown";
  const isReady = node.needs.every((id) => ended.has(id));
  if (isOver(run.state)) return isReady && run.startedAt !== null ? "cancelled" : "not_run";
  if (!isReady || run.startedAt === null) return "pending";
  if (waits.length === 0) return "running";
  if (node.config.type !== "each") return "waiting";
  // It takes its items in order, so many at a time: it waits where all of these do.
  const items = new Set(waits.map(({ item }) => item));
  return items.size >= node.config.concurrency ? "waiting" : "running";
}

/** Whether nothing happens in a run any more. */
export function isOver(state: ExecutionState): boolean {
  return state === "done" || state === "failed" || state === "terminated";
}

/** What the interface calls what the steps of nodes are named after. */
const waitKinds: Readonly<Record<string, string>> = {
  tick: "pause",
  ask: "approval",
  question: "server_question",
};

/** What steps wait for. A node's own time limit is nothing that it waits for. */
export function waitsOf(steps: readonly StepFacts[]): readonly NodeWait[] {
  return steps.flatMap(({ key, state, wakeAt, childId }) => {
    const [, ...parts] = key.split("/");
    const name = (parts.at(-1) ?? "").replace(/\d+$/, "");
    if (state !== "waiting" || name === "limit") return [];
    const kind = childId !== null ? "child" : (waitKinds[name] ?? name);
    const item = parts.length > 1 ? Number(parts[0]) : null;
    return [{ kind, until: wakeAt, childId, item: Number.isInteger(item) ? item : null }];
  });
}

/** @param prefix without the slash: a node, or `<node>/<index>` */
export function triesOf(
  steps: StepsOfRun,
  prefix: string,
  config: object,
  state: NodeProgress,
): Pick<NodeState, "tries" | "mostTries"> {
  const retries = "retries" in config ? config.retries : undefined;
  const times =
    typeof retries === "object" && retries !== null && "times" in retries ? Number(retries.times) : 0;
  let again = 0;
  while (steps.get(`${prefix}/retry${again + 1}`)) again++;
  const waits = steps.get(`${prefix}/retry${again}`)?.state === "waiting";
  const never = state === "pending" || state === "skipped" || state === "not_run" || state === "unknown";
  return { tries: never ? 0 : again + (waits ? 0 : 1), mostTries: times + 1 };
}

/** What the steps with this prefix have started, where that is one thing. */
export function childOf(steps: readonly StepFacts[], prefix: string): string | null {
  const own = steps.find(
    ({ key, childId }) =>
      childId !== null && key.startsWith(prefix) && !key.slice(prefix.length).includes("/"),
  );
  return own?.childId ?? null;
}

/** How a run says which of its nodes made it fail. */
export function failureSentence(node: string, reason: string): string {
  return `The node "${node}" failed: ${reason}.`;
}

/** What `failureSentence` said; null for a run that failed by something else. */
function failureOf(error: string | null): { readonly node: string; readonly reason: string } | null {
  const [, node, reason] = /^The node "(\w+)" failed: (.*)\.$/s.exec(error ?? "") ?? [];
  return node === undefined || reason === undefined ? null : { node, reason };
}
