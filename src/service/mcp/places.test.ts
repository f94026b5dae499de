import { afterAll, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import { until } from "../../testing/until.ts";
import type { Mcp, McpOwner } from "./mcp.ts";

const kim: McpOwner = { type: "user", id: "user_kim" };
let fresh: FreshStore;
let server: TestMcpServer;
let mcp: Mcp;

beforeAll(async () => {
  fresh = await freshStore();
  server = await startMcpServer();
  mcp = mcpFor(fresh.store, { test: { name: "Harbor", url: server.url } });
  await mcp.listTools("test", kim, new AbortController().signal);
});
afterAll(async () => {
  await mcp.close();
  await server.close();
  await fresh.drop();
});

it("S-247: a server that is slow has no more calls at a time than its places; another tenant's call is made at once", async () => {
  const arrived = () => server.calls.filter(({ tool }) => tool === "sleep").length;
  let waiting = 0;
  const call = (tool: string, tenant: string, signal: AbortSignal) => {
    const requester = { share: [tenant], onWait: () => void waiting++ };
    const args = tool === "echo" ? { text: "there" } : {};
    return callTool(mcp, "test", kim, { tool, args, key: "1-0-turn_x", signal, requester });
  };
  for (const round of [1, 2]) {
    const before = arrived();
    waiting = 0;
    const stop = new AbortController();
    const many = Array.from({ length: 55 }, () => call("sleep", "team_a", stop.signal).catch(() => null));
    await until("the places to be taken", async () => arrived() + waiting >= before + 55);
    // The second time as many as the first, though all of them were cut off.
    expect([round, arrived() - before, waiting]).toEqual([round, 50, 5]);
    expect((await call("echo", "team_b", new AbortController().signal)).isError).toBe(false);
    stop.abort();
    await Promise.all(many);
  }
});
