import type { Execution } from "../engine/kind.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { RunFacts } from "../nodes/node.ts";
import { nameOf } from "./definition.ts";
import type { BranchOf, PlannedNode } from "./plan.ts";

/** Results of ended nodes by id; null: skipped. */
export type Ended = ReadonlyMap<string, JsonObject | null>;

/**
 * Whether a node is passed over.
 * @param ended what it reads, and the nodes whose branches it stands below (`when`, `heldBackBy`)
 */
export function isSkipped({ when, heldBackBy, reads, config }: PlannedNode, ended: Ended): boolean {
  if (when && ended.get(when.node)?.[when.field] !== when.branch) return true;
  const skipped = reads.filter((id) => ended.get(id) === null);
  if (config.join === "any") return skipped.length > 0 && skipped.length === reads.length;
  return skipped.length > 0 || heldBackBy.some((by) => isHeldBack(by, ended));
}

/** A call after a question that nobody approved must not be made. One that was not asked holds back nothing. */
function isHeldBack({ node, field, branch }: BranchOf, ended: Ended): boolean {
  const output = ended.get(node) ?? null;
  return output !== null && output[field] !== branch;
}

/** What the node's templates can read: the nodes that it names, nothing else. */
export function scopeOf(node: PlannedNode, ended: Ended): JsonObject {
  return Object.fromEntries(node.reads.map((id) => [id, ended.get(id) ?? {}]));
}

/** What the nodes of a run may know of it. */
export function factsOf(
  execution: Pick<Execution, "id" | "subjectId" | "userId" | "teamId">,
  input: { readonly inputs: JsonObject; readonly body: string },
  nodes: ReadonlyMap<string, PlannedNode>,
): RunFacts {
  const given: [string, JsonValue][] = [];
  for (const { id, config } of nodes.values()) {
    const name = config.type === "input" ? nameOf(id, config) : null;
    if (name !== null && Object.hasOwn(input.inputs, name)) given.push([id, input.inputs[name] ?? null]);
  }
  const { id, subjectId, userId, teamId } = execution;
  return { runId: id, flowId: subjectId, userId, teamId, given: Object.fromEntries(given), body: input.body };
}
