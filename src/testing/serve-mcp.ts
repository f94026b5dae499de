import type { IncomingMessage, ServerResponse } from "node:http";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** Answers one request by an MCP server of its own, without sessions. */
export function serveMcp(mcp: McpServer, request: IncomingMessage, response: ServerResponse): void {
  const transport = new StreamableHTTPServerTransport({});
  // The SDK's own classes disagree with its interface under exactOptionalPropertyTypes.
  mcp
    .connect(transport as Transport)
    .then(() => transport.handleRequest(request, response))
    .catch(() => response.destroy());
}
