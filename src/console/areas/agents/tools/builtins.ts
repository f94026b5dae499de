import type { AgentTool } from "../../../../contract/agents.ts";
import { type BuiltinTool, builtinTools } from "../../../../contract/builtin-tools.ts";
import { nameOfTool } from "../agent/tool-identity.ts";

/** What each tool of the service itself does for the agent. */
export const builtinWords: Readonly<Record<BuiltinTool, string>> = {
  write_file: "Writes a text file that people can open",
  read_file: "Reads back a file of the conversation",
  run_flow: "Runs any flow that the person may run, and waits for its outputs",
  http_get: "Reads a public web address",
  search_knowledge: "Searches the knowledge sources that the person may read",
};

/** The built-in tool that an entry gives; null for a server, a flow, and a kind that our service does not have. */
export function builtinOf(tool: AgentTool): BuiltinTool | null {
  if (nameOfTool(tool).kind !== "other") return null;
  return builtinTools.find((one) => one === tool.type) ?? null;
}
