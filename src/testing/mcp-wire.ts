import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A message of the protocol as it came. */
type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
};

/** An MCP server that answers what a test says, message by message, also what no SDK would say. */
export async function startWire(answer: (message: Message) => object) {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const message: Message = JSON.parse(body);
    const serverInfo = { name: "odd", version: "1" };
    const hello = { result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } };
    if (message.id === undefined) response.writeHead(202).end();
    else {
      // It knows nothing of later revisions, as it says where it is asked.
      const unknown = { error: { code: -32601, message: "Method not found" } };
      const own: Readonly<Record<string, object>> = { initialize: hello, "server/discover": unknown };
      const said = own[message.method ?? ""] ?? answer(message);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...said }));
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
