import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const kim: McpOwner = { type: "user", id: "user_kim" };
let fresh: FreshStore;
let server: TestMcpServer;
const open: Mcp[] = [];

beforeAll(async () => {
  fresh = await freshStore();
  const person = { first_name: "Kim", last_name: "T", email: "kim@example.com", profile_picture: null };
  await fresh.store.db
    .insertInto("users")
    .values({ id: "user_kim", plan: "pro", ...person })
    .execute();
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  server = await startMcpServer();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((mcp) => mcp.close()));
  await server.close();
  for (const table of ["mcp_tools", "mcp_connections", "mcp_servers"] as const)
    await fresh.store.db.deleteFrom(table).execute();
});

/** The MCP room as a process that has just started has it. */
function start(): Mcp {
  const mcp = mcpFor(fresh.store, { test: { name: "Harbor", url: server.url } });
  open.push(mcp);
  return mcp;
}
const stateOf = async (mcp: Mcp) => (await mcp.states(kim)).get("test");
const call = { tool: "echo", args: { text: "Ahoy" }, key: "k", signal };

describe("a server without sign-in that answered 401 for a while", () => {
  const asked: readonly [string, (mcp: Mcp) => Promise<unknown>][] = [
    ["its tools are read", (mcp) => mcp.listTools("test", kim, signal)],
    ["a tool is called", (mcp) => callTool(mcp, "test", kim, call)],
    ["a tool is called for a team without a person", (mcp) => callTool(mcp, "test", null, call)],
    [
      "somebody presses Connect",
      (mcp) =>
        expect(mcp.startSignIn("test", kim, { person: "user_kim" }, signal)).rejects.toMatchObject({
          failure: "no_sign_in",
          message: "The MCP server Harbor needs no sign-in.",
        }),
    ],
  ];
  it.each(asked)("comes back by itself, also after a restart, when %s", async (_, ask) => {
    const before = start();
    await before.listTools("test", kim, signal);
    server.refuse(401);
    await expect(before.listTools("test", kim, signal)).rejects.toMatchObject({ failure: "unauthenticated" });
    expect(await stateOf(before)).toMatchObject({ status: "unauthenticated" });

    const after = start();
    await expect(after.listTools("test", kim, signal)).rejects.toMatchObject({
      failure: "unauthenticated",
      message: "You are not signed in to the MCP server Harbor.",
    });
    await expect(callTool(after, "test", null, call)).rejects.toMatchObject({ failure: "no_owner" });
    server.refuse(null);
    await ask(after);
    expect(await stateOf(after)).toMatchObject({ status: "connected", auth: "none", failure: null });
  });
});
