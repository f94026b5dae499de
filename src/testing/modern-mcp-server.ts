import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import {
  acceptedContent,
  createMcpHandler,
  type InputRequest,
  inputRequired,
  McpServer,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** A call of a tool as it reached the server: also each time that it was made again with an answer. */
export interface ModernCall {
  readonly tool: string;
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  readonly state: unknown;
  /** The idempotency key that came with it. */
  readonly key?: unknown;
}

/** A local MCP server of revision 2026-07-28, made with the official SDK: no session, and questions are answers of calls. */
export interface ModernMcpServer {
  readonly url: string;
  readonly calls: readonly ModernCall[];
  /** Methods of all requests, in order. */
  readonly methods: readonly string[];
  /**
   * What `ask` asks from now on.
   * @param question by how often it has asked in this call; null: it asks no more
   * @param stateLength characters that it wants back with the answers, where that are more than it needs
   */
  asks(
    question: (round: number) => Readonly<Record<string, InputRequest>> | null,
    stateLength?: number,
  ): void;
  close(): Promise<void>;
}

/** What `ask` asks unless a test says otherwise. */
const usual = inputRequired.elicit({
  message: "Which berth?",
  requestedSchema: { type: "object", properties: { berth: { type: "string" } }, required: ["berth"] },
});

/** @param legacy whether servers of earlier revisions are played as well */
export async function startModernMcpServer(
  legacy: "reject" | "stateless" = "reject",
): Promise<ModernMcpServer> {
  const calls: ModernCall[] = [];
  const methods: string[] = [];
  let question: (round: number) => Readonly<Record<string, InputRequest>> | null = (round) =>
    round === 0 ? { berth: usual } : null;
  let length = 0;

  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "modern", version: "1.0.0" });
      const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
      server.registerTool(
        "echo",
        { description: "Says it again", inputSchema: z.object({ text: z.string() }) },
        (args, context) => {
          calls.push({ tool: "echo", answers: undefined, state: context.mcpReq.requestState() });
          return { ...text(args.text), structuredContent: null };
        },
      );
      server.registerTool(
        "ask",
        { description: "Asks before it answers", inputSchema: z.object({}) },
        (_, { mcpReq }) => {
          const { inputResponses } = mcpReq;
          const state = mcpReq.requestState<string>();
          calls.push({
            tool: "ask",
            answers: inputResponses,
            state,
            key: mcpReq._meta?.["wheelhouse/idempotency-key"],
          });
          const round = state === undefined ? 0 : Number(state.slice("round ".length));
          const inputRequests = question(round);
          if (inputRequests !== null)
            return inputRequired({ inputRequests, requestState: `round ${round + 1}`.padEnd(length) });
          const filled = acceptedContent(inputResponses, "berth");
          return text(
            filled ? `berth: ${JSON.stringify(filled)}` : `not told: ${JSON.stringify(inputResponses)}`,
          );
        },
      );
      return server;
    },
    { legacy },
  );
  const listen = getRequestListener((request) => handler.fetch(request));
  const server = createServer((request, response) => {
    methods.push(String(request.headers["mcp-method"] ?? request.method));
    void listen(request, response);
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    methods,
    asks: (next, stateLength = 0) => {
      question = next;
      length = stateLength;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
