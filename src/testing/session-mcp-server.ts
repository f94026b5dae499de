import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/sdk/types.js";

type Question = ElicitRequestFormParams | ElicitRequestURLParams;

/** An MCP server of an earlier revision with sessions, whose tool `ask` asks in the middle of its call. */
export interface SessionMcpServer {
  readonly url: string;
  /** What came back for each question, in order. */
  readonly answers: readonly unknown[];
  /** Calls of `ask` and `beside`. */
  readonly calls: readonly string[];
  asks(question: Question): void;
  /** Lets `beside` end. */
  release(): void;
  close(): Promise<void>;
}

export async function startSessionMcpServer(): Promise<SessionMcpServer> {
  const answers: unknown[] = [];
  const calls: string[] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let waiting: (() => void)[] = [];
  let question: Question = {
    message: "Which berth?",
    requestedSchema: { type: "object", properties: { berth: { type: "string" } }, required: ["berth"] },
  };

  function make(): McpServer {
    const mcp = new McpServer({ name: "session", version: "1.0.0" });
    const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
    mcp.registerTool("ask", { description: "Asks before it answers" }, async () => {
      calls.push("ask");
      const answer = await mcp.server.elicitInput(question);
      answers.push(answer);
      return text(JSON.stringify(answer));
    });
    mcp.registerTool("link", { description: "Wants a page to be opened first" }, () => {
      calls.push("link");
      if (calls.filter((one) => one === "link").length > 1) return text("Linked.");
      const elicitationId = randomUUID();
      throw new UrlElicitationRequiredError([
        { mode: "url", message: "Sign in at the bank.", url: "https://bank.example/sign-in", elicitationId },
      ]);
    });
    mcp.registerTool("beside", { description: "Waits until it is let go" }, async () => {
      calls.push("beside");
      await new Promise<void>((done) => waiting.push(done));
      return text("Beside.");
    });
    return mcp;
  }

  const server = createServer((request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const answer = async () => {
      if (known !== undefined) return await known.handleRequest(request, response);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      // The SDK's own classes disagree with its interface under exactOptionalPropertyTypes.
      await make().connect(transport as Transport);
      await transport.handleRequest(request, response);
    };
    answer().catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    answers,
    calls,
    asks: (next) => {
      question = next;
    },
    release: () => {
      for (const done of waiting) done();
      waiting = [];
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
