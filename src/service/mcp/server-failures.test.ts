import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import { startWire } from "../../testing/mcp-wire.ts";
import { until } from "../../testing/until.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const kim: McpOwner = { type: "user", id: "user_kim" };
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-trouble-"));
let fresh: FreshStore;
let server: TestMcpServer;
let mcp: Mcp;

beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  server = await startMcpServer();
  mcp = mcpFor(fresh.store, { test: { name: "Harbor", url: server.url } }, { callTimeout: 30_000 });
  await mcp.listTools("test", kim, signal);
});
afterEach(async () => {
  await mcp.close();
  await server.close();
  for (const table of ["mcp_tools", "mcp_connections", "mcp_servers"] as const)
    await fresh.store.db.deleteFrom(table).execute();
});

const call = (tool: string, args = {}, from = mcp, id = "test") =>
  callTool(from, id, kim, { tool, args, key: "1-0-turn_x", signal });
const stateOf = async (from = mcp, id = "test") => (await from.states(kim)).get(id);

describe("a server that misbehaves", () => {
  it("killed in the middle of a call, it fails at once with a sentence, and the state says so with its age", async () => {
    const before = Date.now() - 1000;
    const calling = expect(call("sleep")).rejects.toMatchObject({
      failure: "unreachable",
      message: "The MCP server Harbor stopped responding during the call.",
    });
    await until("the call to arrive", async () => server.calls.some(({ tool }) => tool === "sleep"));
    server.kill();
    await calling;
    const state = await stateOf();
    expect(state?.failure).toBe("The MCP server Harbor stopped responding during the call.");
    expect(Number(state?.failedAt)).toBeGreaterThan(before);
    expect(Number(state?.failedAt)).toBeGreaterThan(Number(state?.succeededAt));
    expect((await call("echo", { text: "again" })).isError).toBe(false);
    expect(await stateOf()).toMatchObject({ status: "connected", failure: null });
  });

  it("slow, it is given up in time, and others on the same connection go on", async () => {
    const hasty = mcpFor(fresh.store, { test: { name: "Harbor", url: server.url } }, { callTimeout: 300 });
    const slow = expect(call("sleep", {}, hasty)).rejects.toMatchObject({
      failure: "timeout",
      message: "The MCP server Harbor did not answer in time.",
    });
    expect((await call("echo", { text: "a" })).isError).toBe(false);
    await slow;
    // Once more, with nobody beside who may be answered after it.
    await expect(call("sleep", {}, hasty)).rejects.toMatchObject({ failure: "timeout" });
    expect((await stateOf())?.failure).toContain("in time");
    await hasty.close();
  });

  it("S-42: more than 10 MB is not read; less is, and a call beside it is not harmed", async () => {
    const beside = call("echo", { text: "beside" });
    await expect(call("flood", { characters: 10_000_001 })).rejects.toMatchObject({
      failure: "too_large",
      message:
        "The MCP server Harbor answered with more than 10 MB, 500,000 values or 20,000 different keys, which is too much.",
    });
    expect((await beside).isError).toBe(false);
    const { content } = await call("flood", { characters: 5_000_000 });
    expect(String(content[0]?.text)).toHaveLength(5_000_000);
  });

  it("stopped by its caller, it is no trouble of the server's", async () => {
    const stop = new AbortController();
    const calling = callTool(mcp, "test", kim, { tool: "sleep", args: {}, key: "k", signal: stop.signal });
    const refused = expect(calling).rejects.toThrow("enough");
    await until("the call to arrive", async () => server.calls.length > 0);
    stop.abort(new Error("enough"));
    await refused;
    expect(await stateOf()).toMatchObject({ failure: null });
  });

  it("a command that dies in the middle of a call is started again at the next", async () => {
    const script = join(folder, "dies.mjs");
    writeFileSync(script, dying());
    const own = mcpFor(fresh.store, { dies: { command: "node", args: [script] } });
    await expect(call("die", {}, own, "dies")).rejects.toMatchObject({
      message: "The MCP server dies stopped responding during the call.",
    });
    expect(await stateOf(own, "dies")).toMatchObject({ status: "unauthenticated", auth: "none" });
    expect((await call("live", {}, own, "dies")).content).toEqual([{ type: "text", text: "alive" }]);
    await expect(call("flood", {}, own, "dies")).rejects.toMatchObject({ failure: "too_large" });
    expect((await call("live", {}, own, "dies")).isError).toBe(false);
    await own.close();
  });

  it("answers that are errors of the protocol are the tool's own words", async () => {
    const own = await startWire((message) => {
      if (message.method === "tools/list")
        return { result: { tools: [{ name: "odd", inputSchema: { type: "object" } }] } };
      return { error: { code: -32_602, message: "Which harbor?" } };
    });
    const from = mcpFor(fresh.store, { odd: { url: own.url } });
    expect(await call("odd", {}, from, "odd")).toEqual({
      content: [{ type: "text", text: "Which harbor?" }],
      structured: null,
      isError: true,
    });
    await from.close();
    await own.close();
  });

  /** A server whose one tool answers what it is given. */
  const answering = async (answer: () => object) => {
    const own = await startWire((message) => {
      if (message.method === "tools/list")
        return { result: { tools: [{ name: "odd", inputSchema: { type: "object" } }] } };
      return { result: { content: [], structuredContent: answer() } };
    });
    return { own, from: mcpFor(fresh.store, { odd: { name: "Odd", url: own.url } }) };
  };

  it("S-268: an answer of more values than can be read at once is too much, and text is not counted", async () => {
    let answered: object = {};
    const { own, from } = await answering(() => answered);
    answered = { all: Array(500_000).fill([]) };
    await expect(call("odd", {}, from, "odd")).rejects.toMatchObject({
      failure: "too_large",
      message:
        "The MCP server Odd answered with more than 10 MB, 500,000 values or 20,000 different keys, which is too much.",
    });
    answered = { all: Array(499_000).fill([]) };
    expect((await call("odd", {}, from, "odd")).structured).toEqual(answered);
    answered = { csv: '\\",[{'.repeat(200_000) };
    expect((await call("odd", {}, from, "odd")).structured).toEqual(answered);
    await from.close();
    await own.close();
  });

  it("S-282: an answer of more different keys than can be read at once is too much, and many of the same are not", async () => {
    let answered: object = {};
    const { own, from } = await answering(() => answered);
    const rows = (count: number, key: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => ({ [key(at)]: at }));
    answered = { rows: rows(20_001, (at) => `key ${at}`) };
    await expect(call("odd", {}, from, "odd")).rejects.toMatchObject({ failure: "too_large" });
    answered = { rows: rows(60_000, (at) => `key ${at % 100}`) };
    expect((await call("odd", {}, from, "odd")).structured).toEqual(answered);
    await from.close();
    await own.close();
  });

  it("a definition too long for anybody, and a name that is none, are no tools", async () => {
    const tools = [
      { name: "good", inputSchema: { type: "object" } },
      { name: "long", description: "x".repeat(200_000), inputSchema: { type: "object" } },
      { name: "two\nlines", inputSchema: { type: "object" } },
      { name: "\u202egnol", inputSchema: { type: "object" } },
    ];
    const own = await startWire(() => ({ result: { tools } }));
    const from = mcpFor(fresh.store, { odd: { url: own.url } });
    expect((await from.listTools("odd", kim, signal)).map(({ name }) => name)).toEqual(["good"]);
    await from.close();
    await own.close();
  });

  it.each([500, 503, 404])(
    "that answers %s from the beginning is said to, and not to be away",
    async (status) => {
      const own = createServer((_, response) => void response.writeHead(status).end("canary"));
      await new Promise<void>((done) => own.listen(0, "127.0.0.1", done));
      const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/mcp`;
      const from = mcpFor(fresh.store, { odd: { name: "Odd", url } });
      const words = `The MCP server Odd answered with the status ${status}.`;
      await expect(from.listTools("odd", kim, signal)).rejects.toMatchObject({
        ...{ failure: "unreachable", message: words },
      });
      expect(await stateOf(from, "odd")).toMatchObject({ status: "unauthenticated", failure: words });
      await from.close();
      own.close();
    },
  );

  it("S-41: a redirect to another host takes nothing there", async () => {
    const elsewhere = await startMcpServer();
    const own = createServer((_, response) => {
      response.writeHead(307, { location: elsewhere.url }).end();
    });
    await new Promise<void>((done) => own.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/mcp`;
    const { host } = new URL(elsewhere.url);
    const from = mcpFor(
      fresh.store,
      { odd: { url, headers: { authorization: "Bearer canary" } } },
      { allowPrivate: [host] },
    );
    await expect(from.listTools("odd", kim, signal)).rejects.toMatchObject({ failure: "unreachable" });
    expect(elsewhere.requests()).toBe(0);
    await from.close();
    await elsewhere.close();
    own.close();
  });
});

/** A command that knows three tools: one that ends it, one that floods, one that works. */
function dying(): string {
  const sdk = resolve(import.meta.dirname, "../../../node_modules/@modelcontextprotocol/sdk/dist/esm/server");
  return `
import { McpServer } from ${JSON.stringify(`${sdk}/mcp.js`)};
import { StdioServerTransport } from ${JSON.stringify(`${sdk}/stdio.js`)};
const server = new McpServer({ name: "dies", version: "1.0.0" });
const text = (words) => ({ content: [{ type: "text", text: words }] });
server.registerTool("die", { description: "Ends it" }, () => process.exit(1));
server.registerTool("live", { description: "Works" }, () => text("alive"));
server.registerTool("flood", { description: "Much" }, () => text("x".repeat(11_000_000)));
await server.connect(new StdioServerTransport());
`;
}
