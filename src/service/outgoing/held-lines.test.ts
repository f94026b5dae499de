import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { freshStore } from "../../testing/database.ts";
import { startFakeModelServer } from "../../testing/fake-model-server.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { chatStream } from "../../testing/model-streams.ts";
import { modelRequest, modelSettings } from "../../testing/model-tests.ts";
import type { ByteRoom } from "../byte-room.ts";
import { deferred } from "../deferred.ts";
import { createModels } from "../models/models.ts";

/** Room that is full until it is emptied. */
function fullRoom() {
  const [asked, emptied] = [deferred(), deferred()];
  const held = new Map<object, number>();
  const room: ByteRoom = {
    enter() {
      const one = {};
      return {
        async take(bytes) {
          asked.resolve();
          await emptied.promise;
          held.set(one, (held.get(one) ?? 0) + bytes);
        },
        leave: () => void held.delete(one),
      };
    },
  };
  return { room, asked: asked.promise, empty: emptied.resolve, held };
}

const sayer = `
const text = process.env.SAYS.repeat(100);
const result = (method) => ({
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "sayer", version: "1" } },
  "tools/list": { tools: [{ name: "say", description: "Says it", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text }] },
})[method];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const said = result(method);
  const answer = said ? { result: said } : { error: { code: -32601, message: "no" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
});`;
const command = (says: string) => ({ command: "node", args: ["-e", sayer], env: { SAYS: says } });

it("S-386: a long answer of a command waits for room, and short ones of others come meanwhile", async () => {
  const fresh = await freshStore();
  const { room, asked, empty, held } = fullRoom();
  const mcp = mcpFor(fresh.store, { long: command("x".repeat(50_000)), short: command("y") }, { room });
  const { signal } = new AbortController();
  let hasCome = false;
  const call = { tool: "say", args: {}, key: "k", signal };
  const long = callTool(mcp, "long", null, call).finally(() => {
    hasCome = true;
  });
  await asked;
  expect(await callTool(mcp, "short", null, call)).toMatchObject({ content: [{ text: "y".repeat(100) }] });
  expect(hasCome).toBe(false);
  empty();
  expect(await long).toMatchObject({ content: [{ text: "x".repeat(5_000_000) }] });
  expect(held.size).toBe(0);
  await mcp.close();
  await fresh.drop();
});

it.each([
  ["one piece", "application/json"],
  ["an event", "text/event-stream"],
])("S-404: so does one of an MCP server over HTTP that comes in %s", async (_, contentType) => {
  const fresh = await freshStore();
  const { room, asked, empty, held } = fullRoom();
  const server = await startSayer(contentType);
  const mcp = mcpFor(fresh.store, { sayer: { url: server.url } }, { room });
  const { signal } = new AbortController();
  const call = (letters: number) =>
    callTool(mcp, "sayer", null, { tool: "say", args: { letters }, key: "k", signal });
  let hasCome = false;
  const long = call(5_000_000).finally(() => {
    hasCome = true;
  });
  await Promise.race([asked, long]);
  for (let times = 0; times < 20; times++)
    expect(await call(100)).toMatchObject({ content: [{ text: "x".repeat(100) }] });
  expect(hasCome).toBe(false);
  empty();
  expect(await long).toMatchObject({ content: [{ text: "x".repeat(5_000_000) }] });
  expect(held.size).toBe(0);
  await mcp.close();
  await server.close();
  await fresh.drop();
});

/** An MCP server that says as many letters as it is asked for. */
async function startSayer(contentType: string) {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse((await request.toArray()).join("") || "{}");
    if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
    const results: Record<string, () => object> = {
      initialize: () => ({
        ...{ protocolVersion: "2025-06-18", capabilities: { tools: {} } },
        serverInfo: { name: "sayer", version: "1" },
      }),
      "tools/list": () => ({
        tools: [{ name: "say", description: "Says it", inputSchema: { type: "object" } }],
      }),
      "tools/call": () => ({ content: [{ type: "text", text: "x".repeat(params.arguments.letters) }] }),
    };
    const result = results[method]?.();
    const answer = result ? { result } : { error: { code: -32601, message: "no" } };
    const text = JSON.stringify({ jsonrpc: "2.0", id, ...answer });
    response.writeHead(200, { "content-type": contentType });
    response.end(contentType === "text/event-stream" ? `event: message\ndata: ${text}\n\n` : text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it.each([
  ["one piece", "application/json"],
  ["a line", "text/event-stream"],
])("S-386: so does one of a model that comes in %s", async (_, contentType) => {
  const server = await startFakeModelServer();
  const { room, asked, empty, held } = fullRoom();
  const models = createModels(modelSettings(server.url, { local: "fake" }), {
    fetch: globalThis.fetch,
    room,
  });
  const content = "x".repeat(1_500_000);
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  const body =
    contentType === "application/json" ? JSON.stringify({ choices }) : chatStream([{ content }], "stop");
  server.next({ type: "raw", contentType, body });
  server.otherwise(() => ({ type: "text", text: "Short." }));
  let hasCome = false;
  const long = models.ask(modelRequest()).finally(() => {
    hasCome = true;
  });
  await asked;
  for (let times = 0; times < 20; times++)
    expect(await models.ask(modelRequest())).toMatchObject({ text: "Short." });
  expect(hasCome).toBe(false);
  empty();
  expect(await long).toMatchObject({ text: content });
  expect(held.size).toBe(0);
  await server.close();
});
