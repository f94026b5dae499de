import type { Connections } from "./connections.ts";
import { listDefinitions, type ToolDefinition } from "./definition.ts";
import type { Exchange } from "./exchanges.ts";
import type { McpCall } from "./mcp.ts";
import { McpError } from "./mcp-error.ts";
import type { Held, ToolPins } from "./tool-pins.ts";

/** A tool of a server now, and whether it may be called. */
export interface McpTool extends ToolDefinition {
  readonly held: Held | null;
}

/** Compares what servers say of their tools with what people have looked at, and lets no call through to anything else. */
export function createToolReview(pins: ToolPins, connections: Pick<Connections, "succeeded">) {
  async function readTools({ lease, key, ask }: Exchange, signal: AbortSignal): Promise<McpTool[]> {
    const definitions = await ask((client) => listDefinitions(client, signal));
    const seen = await pins.see(key, definitions);
    lease.inputs = new Map(definitions.map(({ name, inputSchema }) => [name, inputSchema]));
    await connections.succeeded(key, { tools: definitions.length, revision: lease.opened.revision });
    return definitions.map((tool) => ({ ...tool, held: seen.get(tool.name)?.held ?? null }));
  }

  /** @throws McpError for a tool that is not there, or that nobody has looked at since it changed */
  async function check(exchange: Exchange, { tool, hash, isAgreed, signal }: McpCall): Promise<void> {
    const { lease, key, config } = exchange;
    if (lease.inputs === null) await readTools(exchange, signal);
    let pin = await pins.find(key, tool);
    if (pin === null) {
      await readTools(exchange, signal);
      pin = await pins.find(key, tool);
    }
    if (pin === null) throw new McpError("unknown", `The MCP server ${config.name} has no tool ${tool}.`);
    const changed = hash !== undefined && hash !== null && hash !== pin.hash;
    if (isAgreed ? pin.lastHash === hash : pin.held === null && !changed) return;
    const what = pin.hash === null ? "is new" : "has changed";
    throw new McpError(
      "held",
      `The tool ${tool} of the MCP server ${config.name} ${what} since it was last reviewed, so it cannot be called until someone reviews it.`,
    );
  }

  return { readTools, check };
}
