import type { NodeType } from "../nodes/node.ts";
import { nodeType } from "../nodes/registry.ts";
import { runInSlices } from "../time-slices.ts";
import { type Definition, maxNodes, type NodeDefinition, nameOf } from "./definition.ts";
import { type Fault, type Fields, readFields } from "./fields.ts";
import { didYouMean } from "./suggest.ts";
import { isTemplate } from "./template.ts";

/** One node with what it depends on. */
export interface PlannedNode {
  readonly id: string;
  readonly type: NodeType;
  readonly config: NodeDefinition;
  readonly fields: Fields;
  /** Nodes whose results it reads. */
  readonly reads: readonly string[];
  /** All nodes that must end before it starts. */
  readonly needs: readonly string[];
  readonly when: BranchOf | null;
  /** Nodes on which it depends without naming a branch of theirs, and the one in which alone it runs. */
  readonly heldBackBy: readonly BranchOf[];
}

/** A branch of a node, and the output of that node which names the branch that was taken. */
export interface BranchOf {
  readonly node: string;
  readonly field: string;
  readonly branch: string;
}

/** A flow made ready to run: edges come from what the templates read. */
export interface Plan {
  readonly nodes: ReadonlyMap<string, PlannedNode>;
  /** Empty for a flow that can run. Paths start at `nodes`. */
  readonly faults: readonly Fault[];
}

/** Whoever waits for a plan, of a flow that belongs to all who may see it. */
const requester = { share: ["plans"] };

/** Works out the edges of a flow and everything that is wrong with them; that of a large one takes turns with all else. */
export const planFlow = (flow: Definition): Promise<Plan> =>
  runInSlices(planSteps(flow), requester, Number.POSITIVE_INFINITY);

function* planSteps({ nodes: configs }: Definition): Generator<undefined, Plan> {
  const nodes = new Map<string, PlannedNode>();
  const faults: Fault[] = [];
  const typeOf = new Map(configs.map(({ id, node }) => [id, node.type]));
  const branchesAt = (id: string) => nodeType(typeOf.get(id) ?? "")?.branches;
  const fieldOf = (id: string) => branchesAt(id)?.field ?? "value";
  for (const { id, node: config } of configs) {
    const type = nodeType(config.type);
    if (!type) continue;
    const fields = yield* readFields(config, type, nodeType);
    faults.push(...fields.faults.map((fault) => ({ ...fault, path: ["nodes", id, ...fault.path] })));
    const reads = [...new Set(fields.reads.map(({ reference }) => reference[0]))];
    const [node, branch] = config.when?.split(".") ?? [];
    const when = node !== undefined && branch !== undefined ? { node, branch, field: fieldOf(node) } : null;
    const needs = [...new Set([...reads, ...(config.after ?? []), ...(when ? [when.node] : [])])];
    const heldBackBy = needs.flatMap((needed) => {
      const implied = needed === when?.node ? undefined : branchesAt(needed)?.implied;
      return implied === undefined ? [] : [{ node: needed, branch: implied, field: fieldOf(needed) }];
    });
    nodes.set(id, { id, type, config, fields, reads, needs, when, heldBackBy });
  }
  if (nodes.size > maxNodes) {
    faults.push({
      path: ["nodes"],
      message: `a flow has at most ${maxNodes} nodes, this one ${nodes.size}`,
    });
  }
  for (const node of nodes.values()) yield* addEdgeFaults(node, nodes, faults);
  faults.push(...nameFaults(nodes), ...cycleFaults(nodes));
  return { nodes, faults };
}

/** Names that mean something else in logs and templates. */
const reserved = new Set([
  "run",
  "item",
  "index",
  "forloop",
  "empty",
  "blank",
  "nil",
  "null",
  "true",
  "false",
]);

function* addEdgeFaults(
  node: PlannedNode,
  nodes: ReadonlyMap<string, PlannedNode>,
  faults: Fault[],
): Generator<undefined, void> {
  if (reserved.has(node.id)) {
    faults.push({ path: ["nodes", node.id], message: `"${node.id}" cannot be the id of a node` });
  }
  const unknown = (id: string) => `there is no node "${id}"${didYouMean(id, nodes.keys())}`;
  for (const { path, reference } of node.fields.reads) {
    const [id, field] = reference;
    const target = nodes.get(id);
    const at = ["nodes", node.id, ...path];
    yield;
    if (!target) faults.push({ path: at, message: unknown(id) });
    else if (field === undefined) {
      faults.push({ path: at, message: `say which field of "${id}" is meant, such as {{ ${id}.value }}` });
    } else if (!target.type.outputs.includes(field)) {
      const names = target.type.outputs.join(", ");
      const guess = didYouMean(field, target.type.outputs);
      faults.push({ path: at, message: `"${id}" has no field "${field}"${guess}; it has ${names}` });
    }
  }
  for (const [index, id] of (node.config.after ?? []).entries()) {
    if (!nodes.has(id)) faults.push({ path: ["nodes", node.id, "after", index], message: unknown(id) });
  }
  if (node.when) {
    const at = ["nodes", node.id, "when"];
    const target = nodes.get(node.when.node);
    const branches = target ? branchesOf(target) : [];
    if (!target) faults.push({ path: at, message: unknown(node.when.node) });
    else if (branches.length === 0) {
      faults.push({ path: at, message: `"${target.id}" is no condition or approval, so it has no branches` });
    } else if (!branches.includes(node.when.branch)) {
      const guess = didYouMean(node.when.branch, branches);
      faults.push({ path: at, message: `"${target.id}" has no branch "${node.when.branch}"${guess}` });
    }
  }
}

/** The branches that conditions after it can name; none of a node that has none. */
export const branchesOf = ({ type, config }: PlannedNode): readonly string[] =>
  type.branches?.of(config) ?? [];

/** The names of its inputs, in the order of the flow. */
export function inputNames({ nodes }: Plan): string[] {
  return [...nodes.values()].flatMap(({ id, config }) =>
    config.type === "input" ? [nameOf(id, config)] : [],
  );
}

/** Callers address inputs, outputs and files by name, so a name stands for one node. */
function nameFaults(nodes: ReadonlyMap<string, PlannedNode>): Fault[] {
  const taken = new Map<string, string>();
  const faults: Fault[] = [];
  for (const { id, config } of nodes.values()) {
    if (config.type !== "input" && config.type !== "output" && config.type !== "file") continue;
    const name = nameOf(id, config);
    if (config.type === "file" && isTemplate(name)) continue;
    // Headers give values to inputs without regard to case.
    const key = `${config.type} ${config.type === "input" ? name.toLowerCase() : name}`;
    const other = taken.get(key);
    if (other === undefined) taken.set(key, id);
    else {
      const path = ["nodes", id, ...(config.name === undefined ? [] : ["name"])];
      faults.push({ path, message: `"${other}" is already the ${config.type} named "${name}"` });
    }
  }
  return faults;
}

function cycleFaults(nodes: ReadonlyMap<string, PlannedNode>): Fault[] {
  const faults: Fault[] = [];
  const finished = new Set<string>();
  const visit = (id: string, trail: readonly string[]): void => {
    if (finished.has(id)) return;
    if (trail.includes(id)) {
      const cycle = [...trail.slice(trail.indexOf(id)), id];
      faults.push({ path: ["nodes", id], message: `these nodes wait for each other: ${cycle.join(" → ")}` });
      return;
    }
    for (const needed of nodes.get(id)?.needs ?? []) visit(needed, [...trail, id]);
    finished.add(id);
  };
  for (const id of nodes.keys()) visit(id, []);
  return faults;
}
