import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { shareOf } from "../../limiter.ts";
import { toolCallId } from "../../mcp/definition.ts";
import type { Mcp, McpAnswer } from "../../mcp/mcp.ts";
import { McpError } from "../../mcp/mcp-error.ts";
import { type McpOwner, ownerOf } from "../../mcp/owner.ts";
import type { JsonValue } from "../../store/json.ts";
import type { Tool, ToolServer } from "./tool.ts";

/** One MCP tool as the turn recorded it when it began: later changes of the server do not reach into the turn. */
const mcpToolRecord = z.object({
  serverId: z.string(),
  tool: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.json()),
  /** Of the definition that the model is given: a tool that says something else by the time of the call is not called. */
  hash: z.string().nullable().default(null),
  /** Whose credentials the call uses. */
  credentials: z.enum(["personal", "team"]).default("personal"),
});
export type McpToolRecord = z.output<typeof mcpToolRecord>;

/**
 * The tools of an agent's MCP servers, and what is to be said of servers that did not answer. `impossible`: why the turn
 * cannot be taken at all.
 */
export const mcpListing = z.object({
  tools: z.array(mcpToolRecord),
  problems: z.array(z.string()),
  impossible: z.string().nullable().default(null),
});
export type McpListing = z.output<typeof mcpListing>;

const serverTypes = ["gumcp_server", "gumstack_server", "mcp_server"];

/** The entries of an agent's `tools` that name an MCP server. */
export function mcpEntries(tools: readonly JsonObject[]): JsonObject[] {
  return tools.filter(
    (tool) => typeof tool.server_id === "string" && serverTypes.includes(String(tool.type)),
  );
}

/** For whom a turn acts. */
interface Acting {
  readonly userId: string | null;
  readonly teamId: string | null;
}

/**
 * Whose credentials a tool takes ("Whose credentials run it"): without a team the person's; with one as the tool says, and
 * never one in place of the other. Null: personal ones, of nobody.
 */
export function credentialsOwner(
  credentials: "personal" | "team",
  { userId, teamId }: Acting,
): McpOwner | null {
  if (credentials === "team" && teamId !== null) return { type: "team", id: teamId };
  return ownerOf({ userId, teamId: null });
}

/**
 * Asks each server for its tools and leaves only those that the agent's own list allows, and that somebody has looked at
 * since they changed.
 * @param mayUse whether those for whom the turn acts may use a server: an agent's list may name more than they may
 */
export async function listMcpTools(
  mcp: Mcp,
  acting: Acting,
  mayUse: (serverId: string) => Promise<boolean>,
  entries: readonly JsonObject[],
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
    const credentials = entry.credentials === "team" ? "team" : "personal";
    let left = 0;
    try {
      for (const tool of await mcp.listTools(serverId, credentialsOwner(credentials, acting), signal)) {
        const { name, description, inputSchema, hash, held } = tool;
        const id = toolCallId(serverId, name);
        if (allowed !== null && !allowed.includes(id)) continue;
        if (held !== null) left += 1;
        else {
          const parameters = asParameters(inputSchema);
          tools.push({ serverId, tool: name, description, parameters, hash, credentials });
        }
      }
      // Without their names, which are the server's words and have no place in a prompt.
      if (left > 0)
        problems.push(`Tools of the MCP server ${serverId} that are left out: ${left}. ${heldWords}`);
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      if (error.failure === "no_owner")
        return { tools: [], problems: [], impossible: personalOfNobody(serverId) };
      // Without the words of a command that did not start: a prompt is no place for them.
      problems.push(error.message);
    }
  }
  return { tools, problems, impossible: null };
}

const heldWords = "They are new or have changed, and nobody has looked at them yet.";

function personalOfNobody(serverId: string): string {
  return `The tools of the MCP server ${serverId} use personal credentials, but the turn was started for a team without user_id. Name the user, or set credentials: team for this server in the agent's tools.`;
}

function asParameters(schema: JsonObject): { [key: string]: z.core.util.JSONType } {
  const plain: { [key: string]: z.core.util.JSONType } = JSON.parse(JSON.stringify(schema));
  return { ...plain, type: "object" };
}

/** The recorded tools as tools of the turn. */
export function mcpTools(mcp: Mcp, records: readonly McpToolRecord[]): Tool[] {
  return records.map((record) => ({
    spec: {
      name: toolCallId(record.serverId, record.tool),
      description: record.description,
      parameters: record.parameters,
    },
    server: serverOf(mcp, record),
    async run({ args, facts, key, agreedHash, answered, signal, trace }) {
      const { serverId, tool, hash, credentials } = record;
      try {
        const owner = credentialsOwner(credentials, facts);
        const agreed = agreedHash === undefined ? { hash } : { hash: agreedHash, isAgreed: true };
        const requester = { share: shareOf(facts, facts.executionId) };
        const call = { tool, args, key, ...agreed, signal, requester, trace };
        const answer = await mcp.callTool(serverId, owner, call, answered);
        if ("asks" in answer) return { type: "asks", asks: answer.asks };
        const result = resultOf(answer);
        if (!answer.isError) return { type: "done", result };
        return { type: "failed", error: typeof result === "string" ? result : JSON.stringify(result) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof McpError) return { type: "failed", error: error.whole };
        throw error;
      }
    },
  }));
}

/** A tool that was recorded before there were hashes has none that anything equals: it is asked about as it is now. */
function serverOf(mcp: Mcp, { serverId, tool, description, parameters, hash, credentials }: McpToolRecord) {
  const known = { toolCallId: toolCallId(serverId, tool), name: tool, server: { id: serverId, credentials } };
  const server: ToolServer = {
    definition: { ...known, description, parameters, hash: hash ?? "" },
    async now(facts, signal) {
      const listed = await mcp.listTools(serverId, credentialsOwner(credentials, facts), signal);
      const found = listed.find(({ name }) => name === tool);
      if (found === undefined) return null;
      const { inputSchema, ...now } = found;
      return {
        ...known,
        description: now.description,
        parameters: asParameters(inputSchema),
        hash: now.hash,
      };
    },
  };
  return server;
}

/** Plain text where the answer is only that; else its blocks, without bytes that no model reads as text. */
function resultOf({ content, structured }: McpAnswer): JsonValue {
  if (structured !== null) return structured;
  const texts = content.map((block) =>
    block.type === "text" && typeof block.text === "string" ? block.text : null,
  );
  if (texts.every((text) => text !== null)) return texts.join("\n");
  return content.map(withoutBytes);
}

function withoutBytes(block: JsonObject): JsonObject {
  if ("data" in block) return { ...block, data: leftOut };
  const { resource } = block;
  if (!isJsonObject(resource) || !("blob" in resource)) return block;
  return { ...block, resource: { ...resource, blob: leftOut } };
}

const leftOut = "(left out)";
