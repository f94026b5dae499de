import { z } from "zod";
import type { Mcp, McpAnswer } from "../../mcp/mcp.ts";
import { McpError } from "../../mcp/mcp-error.ts";
import type { JsonValue } from "../../store/json.ts";
import { isRecord, type JsonRecord } from "../metadata.ts";
import type { Tool } from "./tool.ts";

/** One MCP tool as the turn recorded it when it began: later changes of the server do not reach into the turn. */
const mcpToolRecord = z.object({
  serverId: z.string(),
  tool: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.json()),
  /** Why it must not be called; null: it may. */
  refused: z.string().nullable(),
});
export type McpToolRecord = z.output<typeof mcpToolRecord>;

/** The tools of an agent's MCP servers, and what is to be said of servers that did not answer. */
export const mcpListing = z.object({ tools: z.array(mcpToolRecord), problems: z.array(z.string()) });
export type McpListing = z.output<typeof mcpListing>;

const serverTypes = ["gumcp_server", "gumstack_server", "mcp_server"];

/** The entries of an agent's `tools` that name an MCP server. */
export function mcpEntries(tools: readonly JsonRecord[]): JsonRecord[] {
  return tools.filter(
    (tool) => typeof tool.server_id === "string" && serverTypes.includes(String(tool.type)),
  );
}

/** The id under which answers and allow lists name a tool. */
export function toolCallId(serverId: string, tool: string): string {
  return `${serverId}__${tool}`;
}

/**
 * Asks each server for its tools and leaves only those that the agent's own list allows.
 * @param mayUse whether those for whom the turn acts may use a server: an agent's list may name more than they may
 */
export async function listMcpTools(
  mcp: Mcp,
  mayUse: (serverId: string) => Promise<boolean>,
  entries: readonly JsonRecord[],
  signal: AbortSignal,
): Promise<McpListing> {
  const tools: McpToolRecord[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const serverId = String(entry.server_id);
    if (!(await mayUse(serverId))) {
      problems.push(`There is no MCP server ${serverId} that this turn may use.`);
      continue;
    }
    const allowed = Array.isArray(entry.allowed_tool_call_ids) ? entry.allowed_tool_call_ids : null;
    // Nobody could be asked: a call that needs a person's yes is not made at all.
    const refused =
      entry.approval_mode === "all"
        ? "It needs a person's approval, which this service cannot ask for."
        : null;
    try {
      for (const tool of await mcp.listTools(serverId, signal)) {
        if (allowed !== null && !allowed.includes(toolCallId(serverId, tool.name))) continue;
        const { name, description, inputSchema } = tool;
        tools.push({ serverId, tool: name, description, parameters: asParameters(inputSchema), refused });
      }
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      problems.push(error.message);
    }
  }
  return { tools, problems };
}

function asParameters(schema: JsonRecord): { [key: string]: z.core.util.JSONType } {
  const plain: { [key: string]: z.core.util.JSONType } = JSON.parse(JSON.stringify(schema));
  return { ...plain, type: "object" };
}

/** What models accept as a name. */
function modelName({ serverId, tool }: McpToolRecord): string {
  return toolCallId(serverId, tool)
    .replaceAll(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, 64);
}

/** The recorded tools as tools of the turn. */
export function mcpTools(mcp: Mcp, records: readonly McpToolRecord[]): Tool[] {
  return records.map((record) => ({
    spec: { name: modelName(record), description: record.description, parameters: record.parameters },
    async run({ args, key, signal }) {
      if (record.refused !== null) return { type: "failed", error: record.refused };
      try {
        const answer = await mcp.callTool(record.serverId, { tool: record.tool, args, key, signal });
        const result = resultOf(answer);
        if (!answer.isError) return { type: "done", result };
        return { type: "failed", error: typeof result === "string" ? result : JSON.stringify(result) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof McpError) return { type: "failed", error: error.message };
        throw error;
      }
    },
  }));
}

/** Plain text where the answer is only that; else its blocks, without bytes that no model reads as text. */
function resultOf({ content, structured }: McpAnswer): JsonValue {
  if (structured !== null) return structured;
  const texts = content.map((block) =>
    block.type === "text" && typeof block.text === "string" ? block.text : null,
  );
  if (texts.every((text) => text !== null)) return texts.join("\n");
  return content.map((block) =>
    isRecord(block) && "data" in block ? { ...block, data: "(left out)" } : block,
  );
}
