import { agent } from "./agent.ts";
import { approval } from "./approval.ts";
import { code } from "./code.ts";
import { condition } from "./condition.ts";
import { delay } from "./delay.ts";
import { each } from "./each.ts";
import { file } from "./file.ts";
import { flow } from "./flow.ts";
import { http } from "./http.ts";
import { input, output, webhookInput } from "./input.ts";
import { knowledgeSearch } from "./knowledge-search.ts";
import { mcpTool } from "./mcp-tool.ts";
import type { NodeType } from "./node.ts";
import { template } from "./template.ts";

/** All node types. Their schemas make the schema of a flow. */
export const nodeTypes = [
  input,
  webhookInput,
  output,
  template,
  condition,
  delay,
  file,
  http,
  code,
  flow,
  each,
  agent,
  mcpTool,
  knowledgeSearch,
  approval,
] as const;

const byName: ReadonlyMap<string, NodeType> = new Map(nodeTypes.map((type) => [type.type, type]));

/** @returns undefined when there is no such type */
export function nodeType(name: string): NodeType | undefined {
  return byName.get(name);
}
