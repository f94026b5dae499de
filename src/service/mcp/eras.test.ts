import { inputRequired } from "@modelcontextprotocol/server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { startMcpServer } from "../../testing/mcp-server.ts";
import { type ModernMcpServer, startModernMcpServer } from "../../testing/modern-mcp-server.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const kim: McpOwner = { type: "user", id: "user_kim" };
let fresh: FreshStore;
let server: ModernMcpServer;
let mcp: Mcp;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  server = await startModernMcpServer();
  mcp = mcpFor(fresh.store, { pier: { url: server.url } });
});
afterEach(async () => {
  await mcp.close();
  await server.close();
});
const echo = { tool: "echo", args: { text: "Ahoy" }, key: "1-0-turn_x", signal };

it("a server of revision 2026-07-28 is asked without a session", async () => {
  expect((await mcp.listTools("pier", kim, signal)).map(({ name }) => name)).toEqual(["echo", "ask"]);
  expect((await callTool(mcp, "pier", kim, echo)).content).toEqual([{ type: "text", text: "Ahoy" }]);
  expect(server.methods).toEqual(["server/discover", "tools/list", "tools/call"]);
  expect((await mcp.states(kim)).get("pier")).toMatchObject({ revision: "2026-07-28" });
});

it("a tool whose server writes null for what it does not have structured has said what its content says", async () => {
  const content = [{ type: "text", text: "Ahoy" }];
  expect(await callTool(mcp, "pier", kim, echo)).toEqual({ content, structured: null, isError: false });
});

it("a server of an earlier revision is spoken to as before", async () => {
  const old = await startMcpServer();
  const both = mcpFor(fresh.store, { quay: { url: old.url } });
  expect((await callTool(both, "quay", kim, echo)).content).toEqual([{ type: "text", text: "Ahoy" }]);
  expect((await both.states(kim)).get("quay")).toMatchObject({ revision: "2025-11-25" });
  await both.close();
  await old.close();
});

it("what a server wants back with the answers is kept up to 100,000 characters, and refused beyond", async () => {
  const call = { tool: "ask", args: {}, key: "1-0-turn_x", signal };
  const question = inputRequired.elicit({
    message: "Which berth?",
    requestedSchema: { type: "object", properties: { berth: { type: "string" } } },
  });
  const asking = (round: number) => (round === 0 ? { berth: question } : null);
  server.asks(asking, 100_000);
  const came = await mcp.callTool("pier", kim, call, []);
  expect(came).toMatchObject({ asks: { state: "round 1".padEnd(100_000) } });
  server.asks(asking, 100_001);
  await expect(mcp.callTool("pier", kim, call, [])).rejects.toMatchObject({
    failure: "too_large",
    message: "The MCP server pier asks with more than can be kept.",
  });
});
