import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";

/** A local MCP server over streamable HTTP, made with the official SDK. */
export interface TestMcpServer {
  readonly url: string;
  /** Every call of a tool, in order. */
  readonly calls: readonly {
    readonly tool: string;
    readonly key: unknown;
    readonly authorization: string | undefined;
  }[];
  /** Answer nothing more, as a server that is gone. */
  refuse(status: number | null): void;
  close(): Promise<void>;
}

/** @param token the bearer token that it wants; null: none */
export async function startMcpServer(token: string | null = null): Promise<TestMcpServer> {
  const calls: { tool: string; key: unknown; authorization: string | undefined }[] = [];
  let refusal: number | null = null;
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    const status = refusal ?? (token !== null && authorization !== `Bearer ${token}` ? 401 : null);
    if (status !== null) {
      response.writeHead(status).end();
      return;
    }
    // Without sessions: each request gets a server of its own.
    const mcp = makeServer((tool, key) => calls.push({ tool, key, authorization }));
    const transport = new StreamableHTTPServerTransport({});
    // The SDK's own classes disagree with its interface under exactOptionalPropertyTypes.
    void mcp.connect(transport as Transport).then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    refuse: (status) => {
      refusal = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function makeServer(called: (tool: string, key: unknown) => void): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  server.registerTool(
    "echo",
    { description: "Says it again", inputSchema: { text: z.string() } },
    (args, extra) => {
      called("echo", extra._meta?.["wheelhouse/idempotency-key"]);
      return text(args.text);
    },
  );
  server.registerTool("refuse", { description: "Always fails" }, () => ({
    ...text("It does not want to."),
    isError: true,
  }));
  server.registerTool("picture", { description: "Answers bytes" }, () => ({
    content: [{ type: "image" as const, data: "AAAA", mimeType: "image/png" }],
  }));
  return server;
}
