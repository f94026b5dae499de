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

it("a server of an earlier revision is spoken to as before", async () => {
  const old = await startMcpServer();
  const both = mcpFor(fresh.store, { quay: { url: old.url } });
  expect((await callTool(both, "quay", kim, echo)).content).toEqual([{ type: "text", text: "Ahoy" }]);
  expect((await both.states(kim)).get("quay")).toMatchObject({ revision: "2025-11-25" });
  await both.close();
  await old.close();
});
