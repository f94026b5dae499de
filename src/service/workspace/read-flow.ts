import { nodeId } from "../nodes/node.ts";
import { nodeType, nodeTypes } from "../nodes/registry.ts";
import { type Definition, definition } from "../pipelines/definition.ts";
import { planFlow } from "../pipelines/plan.ts";
import { didYouMean } from "../pipelines/suggest.ts";
import { parseValue } from "./parse.ts";
import type { Problem } from "./problem.ts";
import { flowShell } from "./schema.ts";
import type { YamlFile } from "./yaml-file.ts";

/** A flow as its file says it. */
export interface FlowEntry {
  readonly source: YamlFile;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string | null;
  readonly team: string | null;
  readonly definition: Definition;
}

/** Reads one flow file: its head, each node by the schema of its own type, then the edges between them. */
export async function readFlow(source: YamlFile, problems: Problem[]): Promise<FlowEntry | null> {
  const report = (faults: readonly { path: readonly (string | number)[]; message: string }[]) => {
    problems.push(...faults.map(({ path, message }) => source.problem(path, message)));
  };
  const head = parseValue(flowShell, source.value);
  if (head.data === null) {
    report(head.faults);
    return null;
  }
  const before = problems.length;
  const nodes: unknown[] = [];
  for (const [id, config] of Object.entries(head.data.nodes)) {
    const name = nodeId.safeParse(id);
    if (!name.success) report(name.error.issues.map(({ message }) => ({ path: ["nodes", id], message })));
    const type = nodeType(config.type);
    if (!type) {
      const names = nodeTypes.map((known) => known.type);
      const guess = didYouMean(config.type, names) || `; there are ${names.join(", ")}`;
      report([{ path: ["nodes", id, "type"], message: `unknown node type "${config.type}"${guess}` }]);
      continue;
    }
    const node = parseValue(type.schema, config);
    if (node.data === null) {
      report(node.faults.map(({ path, message }) => ({ path: ["nodes", id, ...path], message })));
    } else nodes.push({ id, node: node.data });
  }
  if (problems.length > before) return null;
  const flow = definition.parse({ nodes });
  report((await planFlow(flow)).faults);
  const { id, name, description, owner = null, team = null } = head.data;
  return { source, id, name, description, owner, team, definition: flow };
}
