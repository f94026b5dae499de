import { type BuiltinTool, builtinTools } from "../../../contract/builtin-tools.ts";
import type { JsonObject } from "../../json.ts";
import type { Mcp } from "../../mcp/mcp.ts";
import type { FindKnowledge } from "../../nodes/services.ts";
import type { Outgoing } from "../../outgoing/outgoing.ts";
import type { RunOwner } from "../../permission/run-owner.ts";
import { type FileServices, readFileTool, writeFileTool } from "./files.ts";
import { httpGetTool } from "./http-get.ts";
import { type McpListing, mcpTools } from "./mcp-tools.ts";
import { type FindFlow, runFlowTool } from "./run-flow.ts";
import { searchKnowledgeTool } from "./search-knowledge.ts";
import type { Tool } from "./tool.ts";

export interface ToolServices extends FileServices {
  readonly outgoing: Outgoing;
  readonly mcp: Mcp;
  readonly findFlow: FindFlow;
  readonly findKnowledge: FindKnowledge;
  /** Whether a turn that acts for them may use the server; false where there is none. */
  readonly mayUseServer: (serverId: string, owner: RunOwner) => Promise<boolean>;
}

/**
 * The tools that an agent's configuration gives it, and no others: what a model asks for beyond them is never run.
 * `{type: "flow", saved_item_id}` lets `run_flow` run that flow; `{type: "run_flow"}` every flow that the person may.
 * `{type: "search_knowledge", source_ids}` searches those sources alone; without `source_ids` all that the person may read.
 */
export function openToolset(
  services: ToolServices,
  configured: readonly JsonObject[],
  listing: McpListing,
): ReadonlyMap<string, Tool> {
  const flows = configured.flatMap((tool) =>
    tool.type === "flow" && typeof tool.saved_item_id === "string" ? [tool.saved_item_id] : [],
  );
  const tools = builtinTools.flatMap((type): Tool[] => {
    const isGiven = configured.some((tool) => tool.type === type);
    if (isGiven) return [make[type](services, configured)];
    return type === "run_flow" && flows.length > 0
      ? [runFlowTool(services.findFlow, services.ids, flows)]
      : [];
  });
  const byName = new Map<string, Tool>();
  // Names are ids, and no server can take over a built-in one: the same name twice is the same tool, in two entries.
  for (const tool of [...tools, ...mcpTools(services.mcp, listing.tools)]) {
    if (!byName.has(tool.spec.name)) byName.set(tool.spec.name, tool);
  }
  return byName;
}

/** Each of the service's own tools, for an agent whose list has its name. */
const make: Readonly<
  Record<BuiltinTool, (services: ToolServices, configured: readonly JsonObject[]) => Tool>
> = {
  write_file: writeFileTool,
  read_file: readFileTool,
  run_flow: ({ findFlow, ids }) => runFlowTool(findFlow, ids, null),
  http_get: ({ outgoing }) => httpGetTool(outgoing),
  search_knowledge: ({ findKnowledge }, configured) =>
    searchKnowledgeTool(findKnowledge, searchedSources(configured)),
};

/** Null where any of the entries names none: then all may be searched. */
function searchedSources(configured: readonly JsonObject[]): readonly string[] | null {
  const entries = configured.filter(({ type }) => type === "search_knowledge");
  const lists = entries.map(({ source_ids }) => (Array.isArray(source_ids) ? source_ids : null));
  if (lists.some((list) => list === null)) return null;
  return lists.flatMap((list) => list ?? []).filter((id) => typeof id === "string");
}
