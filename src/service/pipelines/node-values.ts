import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type Requester, shareOf } from "../limiter.ts";
import { NodeError, type RunFacts } from "../nodes/node.ts";
import { nameOf } from "./definition.ts";
import { itemsOf } from "./node-fields.ts";
import { endedNodes, filledKey, type RunState, type StepsOfRun } from "./node-states.ts";
import type { Plan, PlannedNode } from "./plan.ts";
import { isSkipped, scopeOf } from "./run-facts.ts";
import { TemplateError } from "./template.ts";

/** A value, or why it is not known: a sentence for people. */
export type Known<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly why: string };

/** What a run's nodes are read from. */
export interface NodeSource {
  /** Of the flow as it was run. */
  readonly plan: Plan;
  readonly run: RunState;
  readonly facts: RunFacts;
  readonly steps: StepsOfRun;
  /** The whole output of a recorded step, by its key. */
  load(key: string): Promise<JsonValue>;
  /** An output of a run that is done, by its name; undefined where it has none of this name. */
  loadOutput(name: string): Promise<JsonValue | undefined>;
}

/** How a node ended of which the journal has no end, or that it has not. */
type Ending = "done" | "skipped" | "unknown" | "open";

const notEnded = (id: string): Known<never> => ({ known: false, why: `${id} has not ended` });
const unstable = (id: string): Known<never> => ({
  known: false,
  why: `what ${id} gave was not recorded, and may come out differently now`,
});

/**
 * The outputs and inputs of a run's nodes. Outputs that were recorded are read when they are asked for. Those of nodes that
 * only work out a value are not recorded where the run ended before: they are worked out again, from the same facts. Where
 * that may come out differently, by the time or by chance, nothing is said.
 */
export class NodeValues {
  readonly #source: NodeSource;
  readonly #ended: ReadonlySet<string>;
  readonly #endings = new Map<string, Promise<Ending>>();
  readonly #outputs = new Map<string, Promise<Known<JsonObject | null>>>();

  constructor(source: NodeSource) {
    this.#source = source;
    this.#ended = endedNodes(source.plan, source.run, source.steps);
  }

  /** How all nodes have ended of which there is no record, for `nodeStates`. */
  async workedOut(): Promise<ReadonlyMap<string, "done" | "skipped" | "unknown">> {
    const found = new Map<string, "done" | "skipped" | "unknown">();
    for (const id of this.#ended) {
      if (this.#source.steps.get(id)) continue;
      const ending = await this.ending(id);
      if (ending !== "open") found.set(id, ending);
    }
    return found;
  }

  ending(id: string): Promise<Ending> {
    return remember(this.#endings, id, () => this.#ending(id));
  }

  /** What it gave; null: it was skipped. */
  output(id: string): Promise<Known<JsonObject | null>> {
    return remember(this.#outputs, id, () => this.#output(id));
  }

  /** What its templates read. */
  async scope(node: PlannedNode): Promise<Known<JsonObject>> {
    const ended = new Map<string, JsonObject | null>();
    for (const id of node.reads) {
      const output = await this.output(id);
      if (!output.known) return output;
      ended.set(id, output.value);
    }
    return { known: true, value: scopeOf(node, ended) };
  }

  /** Its fields with every template filled in. */
  async fields(node: PlannedNode): Promise<Known<JsonObject>> {
    const scope = await this.scope(node);
    if (!scope.known) return scope;
    if (!node.fields.isStable) return this.#filledIn(node);
    return attempt(() => node.fields.resolve(scope.value, this.#requester()));
  }

  /** The fields of what an `each` does for one of its items; null where it has no such item. */
  async itemFields(node: PlannedNode, index: number): Promise<Known<JsonObject> | null> {
    const [scope, fields] = [await this.scope(node), await this.fields(node)];
    if (!scope.known) return scope;
    if (!fields.known) return fields;
    const item = itemsOf(fields.value)?.[index];
    const inner = node.fields.inner.get("do");
    if (item === undefined || inner === undefined) return null;
    if (!inner.fields.isStable) return unstable(node.id);
    return attempt(() => inner.fields.resolve({ ...scope.value, item, index }, this.#requester()));
  }

  /** What may come out differently is known where the node has kept it. */
  async #filledIn({ id }: PlannedNode): Promise<Known<JsonObject>> {
    const { steps, load } = this.#source;
    const kept = steps.get(filledKey(id));
    const value = kept?.output === undefined && kept ? await load(kept.key) : kept?.output;
    return isJsonObject(value) ? { known: true, value } : unstable(id);
  }

  #requester(): Requester {
    const { facts } = this.#source;
    return { share: shareOf(facts, facts.runId) };
  }

  async #ending(id: string): Promise<Ending> {
    const { plan, steps } = this.#source;
    const node = plan.nodes.get(id);
    const step = steps.get(id);
    if (!node || step?.state === "failed" || !this.#ended.has(id)) return "open";
    if (step) return step.output === null ? "skipped" : "done";
    const ended = new Map<string, JsonObject | null>();
    for (const read of node.reads) {
      const ending = await this.ending(read);
      if (ending === "open" || ending === "unknown") return "unknown";
      ended.set(read, ending === "skipped" ? null : {});
    }
    for (const branch of [...(node.when ? [node.when] : []), ...node.heldBackBy]) {
      const taken = await this.output(branch.node);
      if (!taken.known) return "unknown";
      ended.set(branch.node, taken.value);
    }
    return isSkipped(node, ended) ? "skipped" : "done";
  }

  async #output(id: string): Promise<Known<JsonObject | null>> {
    const { plan, run, steps, facts, load, loadOutput } = this.#source;
    const ending = await this.ending(id);
    const node = plan.nodes.get(id);
    if (steps.get(id)?.state === "failed") return { known: false, why: `${id} failed` };
    if (ending === "open" || !node) return notEnded(id);
    if (ending === "unknown") return unstable(id);
    if (ending === "skipped") return { known: true, value: null };
    const step = steps.get(id);
    if (step) {
      const output = step.output === undefined ? await load(id) : step.output;
      return { known: true, value: isJsonObject(output) ? output : null };
    }
    const { config, type } = node;
    if (config.type === "output" && run.state === "done") {
      const value = await loadOutput(nameOf(id, config));
      if (value !== undefined) return { known: true, value: { value } };
    }
    const { workOut } = type;
    const [scope, fields] = [await this.scope(node), await this.fields(node)];
    if (!scope.known) return scope;
    if (!fields.known) return fields;
    if (workOut === null) return unstable(id);
    const holds = (list: string, index: number) =>
      node.fields.holds(list, index, scope.value, this.#requester());
    const call = { id, config, fields: fields.value, facts, holds, say: () => {} };
    return attempt(async () => workOut(call));
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<Known<T>> {
  try {
    return { known: true, value: await work() };
  } catch (error) {
    if (error instanceof NodeError || error instanceof TemplateError)
      return { known: false, why: error.message };
    throw error;
  }
}

function remember<T>(memory: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = memory.get(key);
  if (known) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
