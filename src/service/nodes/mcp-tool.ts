import { z } from "zod";
import { isJsonObject, type JsonValue, toJson } from "../json.ts";
import type { McpAnswer } from "../mcp/mcp.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { ownerOf } from "../mcp/owner.ts";
import { actorFor, credentialsField } from "./credentials.ts";
import { commonFields, defineNode, done, NodeError, outsideFields } from "./node.ts";

/** Calls one tool of an MCP server of `mcp.json`. What it answers is data. */
export const mcpTool = defineNode({
  type: "mcp_tool",
  schema: z.strictObject({
    type: z.literal("mcp_tool"),
    ...commonFields,
    ...outsideFields,
    /** The server's id in `mcp.json`. */
    server: z.string().min(1).max(100),
    tool: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.json()).default({}),
    ...credentialsField,
  }),
  outputs: ["value"],
  literals: ["server", "tool", "credentials"],
  timeoutMs: 60_000,
  async run({ id, config, fields, facts, services, signal, trace }) {
    const { server, tool } = config;
    const owner = ownerOf(actorFor(config.credentials, facts, server));
    if (!(await services.mayUseServer(server, facts))) {
      throw new NodeError(`there is no MCP server "${server}" that this run may use`);
    }
    const args = isJsonObject(fields.arguments) ? fields.arguments : {};
    try {
      const answer = await services.mcp.callTool(server, owner, {
        tool,
        args,
        key: `${facts.runId}:${id}`,
        signal,
        trace,
      });
      const value = resultOf(answer);
      if (!answer.isError) return done({ value });
      throw new NodeError(
        `${tool} answered an error: ${(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 1_000)}`,
      );
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      const passing = error.failure === "unreachable" || error.failure === "timeout";
      throw new NodeError(error.whole.replace(/\.$/, ""), { passing, cause: error });
    }
  },
});

/** Structured content; else plain text where the answer is only that; else its blocks. */
function resultOf({ content, structured }: McpAnswer): JsonValue {
  if (structured !== null) return structured;
  const texts = content.map((block) => (block.type === "text" ? block.text : null));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : toJson(content);
}
