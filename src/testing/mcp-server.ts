import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { serveMcp } from "./serve-mcp.ts";

/** A local MCP server over streamable HTTP, made with the official SDK. */
export interface TestMcpServer {
  readonly url: string;
  /** Every call of a tool, in order. */
  readonly calls: readonly {
    readonly tool: string;
    readonly key: unknown;
    /** `traceparent` of its `_meta`. */
    readonly traceparent: unknown;
    readonly authorization: string | undefined;
  }[];
  /** How many requests came, whatever they were. */
  requests(): number;
  /** Answer nothing more, as a server that is gone. */
  refuse(status: number | null): void;
  /** How the tools describe themselves from now on: a rug pull, or an update. */
  redefine(change: ToolChange): void;
  /** Cuts every connection, as a server that is killed in the middle of a call. */
  kill(): void;
  close(): Promise<void>;
}

/** What the tools say of themselves beside the usual. */
export interface ToolChange {
  /** What `echo` says it does. */
  readonly echo?: string;
  /** Another parameter of `echo`. */
  readonly parameter?: string;
  /** What the text of `echo` has to be like. */
  readonly pattern?: RegExp;
  /** One more tool. */
  readonly added?: string;
  /** The name of `refuse`. */
  readonly refuse?: string;
}

/** @param token the bearer token that it wants; null: none */
export async function startMcpServer(token: string | null = null): Promise<TestMcpServer> {
  const calls: { tool: string; key: unknown; traceparent: unknown; authorization: string | undefined }[] = [];
  let refusal: number | null = null;
  let change: ToolChange = {};
  let requests = 0;
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    requests += 1;
    const { authorization } = request.headers;
    const status = refusal ?? (token !== null && authorization !== `Bearer ${token}` ? 401 : null);
    if (status !== null) {
      response.writeHead(status).end();
      return;
    }
    open.add(response);
    response.on("close", () => open.delete(response));
    serveMcp(
      makeTestMcp((tool, key, traceparent) => calls.push({ tool, key, traceparent, authorization }), change),
      request,
      response,
    );
  });
  // Callers let go of idle connections: were it also this side, one could be cut just when it is used again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    requests: () => requests,
    refuse: (status) => {
      refusal = status;
    },
    redefine: (next) => {
      change = next;
    },
    kill: () => {
      for (const response of open) response.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The tools of every test server: `echo`, `refuse`, `picture`, and those that misbehave: `sleep` never answers, `flood`
 * answers as many characters as it is asked for.
 * @param called hears of every call when it arrives
 */
export function makeTestMcp(
  called: (tool: string, key: unknown, traceparent: unknown) => void,
  change: ToolChange = {},
): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  const keyOf = (extra: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }) => {
    return extra._meta?.["wheelhouse/idempotency-key"];
  };
  const word = change.pattern === undefined ? z.string() : z.string().regex(change.pattern);
  const more = change.parameter === undefined ? {} : { [change.parameter]: z.string().optional() };
  server.registerTool(
    "echo",
    { description: change.echo ?? "Says it again", inputSchema: { text: word, ...more } },
    (args, extra) => {
      called("echo", keyOf(extra), extra._meta?.traceparent);
      return text(String(args.text));
    },
  );
  const refuse = change.refuse ?? "refuse";
  server.registerTool(refuse, { description: "Always fails" }, () => ({
    ...text("It does not want to."),
    isError: true,
  }));
  server.registerTool("picture", { description: "Answers bytes" }, () => ({
    content: [
      { type: "image" as const, data: "AAAA", mimeType: "image/png" },
      { type: "resource" as const, resource: { uri: "file:///a.pdf", blob: "AAAA" } },
    ],
  }));
  server.registerTool("sleep", { description: "Never answers" }, (extra) => {
    called("sleep", keyOf(extra), extra._meta?.traceparent);
    return new Promise((_, reject) =>
      extra.signal.addEventListener("abort", () => reject(new Error("aborted"))),
    );
  });
  server.registerTool(
    "flood",
    { description: "Answers much", inputSchema: { characters: z.number() } },
    ({ characters }, extra) => {
      called("flood", keyOf(extra), extra._meta?.traceparent);
      return text("x".repeat(characters));
    },
  );
  if (change.added !== undefined) {
    server.registerTool(change.added, { description: "It was not there before" }, () => text("Here."));
  }
  return server;
}
