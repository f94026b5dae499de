import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, type McpForTests, mcpFor, variable } from "../../testing/mcp.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import { mcpFile } from "./config.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const kim: McpOwner = { type: "user", id: "user_kim" };
let fresh: FreshStore;
let server: TestMcpServer;
const open: Mcp[] = [];

beforeAll(async () => {
  fresh = await freshStore();
  server = await startMcpServer("secret-of-the-server");
});
afterAll(async () => {
  await server.close();
  await fresh.drop();
});
afterEach(async () => {
  server.refuse(null);
  await Promise.all(open.splice(0).map((mcp) => mcp.close()));
  for (const table of ["mcp_servers", "mcp_connections", "mcp_tools"] as const)
    await fresh.store.db.deleteFrom(table).execute();
});

function make(servers: object, options: McpForTests = {}): Mcp {
  const mcp = mcpFor(fresh.store, servers, options);
  open.push(mcp);
  return mcp;
}

const stateOf = async (mcp: Mcp, id: string) => (await mcp.states(kim)).get(id);
const withToken = (value: string) => ({
  test: { url: server.url, headers: { authorization: `Bearer ${value}` } },
});
const call = (tool: string, args = {}) => ({ tool, args, key: "1-0-turn_x", signal });

describe("a server over streamable HTTP", () => {
  it("lists its tools and calls them, with the key of the call", async () => {
    const mcp = make(withToken(variable("TOKEN")), { environment: { TOKEN: "secret-of-the-server" } });
    expect(await stateOf(mcp, "test")).toMatchObject({ status: "unauthenticated", succeededAt: null });
    const tools = await mcp.listTools("test", kim, signal);
    expect(tools.map(({ name }) => name)).toEqual(["echo", "refuse", "picture", "sleep", "flood"]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["text"] });
    expect(await stateOf(mcp, "test")).toMatchObject({
      status: "connected",
      auth: "operator",
      toolCount: 5,
      held: [],
    });
    const answer = await callTool(mcp, "test", kim, call("echo", { text: "Ahoy" }));
    expect(answer).toEqual({ content: [{ type: "text", text: "Ahoy" }], structured: null, isError: false });
    expect(server.calls.at(-1)).toMatchObject({ tool: "echo", key: "1-0-turn_x" });
    expect(await callTool(mcp, "test", kim, call("refuse"))).toMatchObject({ isError: true });
  });

  it("says that it wants credentials, without repeating any", async () => {
    const mcp = make(withToken("wrong-secret"));
    const error = await mcp.listTools("test", kim, signal).catch((reason: Error) => reason);
    expect(error).toMatchObject({ failure: "unauthenticated" });
    expect(String(error)).not.toContain("wrong-secret");
    expect(await stateOf(mcp, "test")).toMatchObject({ status: "unauthenticated", toolCount: null });
  });

  it("names a variable that is not set, and asks nobody", async () => {
    const mcp = make(withToken(variable("TOKEN_THAT_IS_NOT_SET")));
    expect(await stateOf(mcp, "test")).toMatchObject({ status: "unauthenticated", toolCount: null });
    await expect(mcp.listTools("test", kim, signal)).rejects.toThrow("TOKEN_THAT_IS_NOT_SET");
  });

  it("recovers when the server comes back", async () => {
    const mcp = make(withToken("secret-of-the-server"));
    await mcp.listTools("test", kim, signal);
    server.refuse(503);
    await expect(callTool(mcp, "test", kim, call("echo", { text: "a" }))).rejects.toMatchObject({
      failure: "unreachable",
    });
    expect(await stateOf(mcp, "test")).toMatchObject({
      status: "unauthenticated",
      failure: "The MCP server test answered with the status 503.",
      failedAt: expect.any(Date),
    });
    server.refuse(null);
    expect((await callTool(mcp, "test", kim, call("echo", { text: "b" }))).content).toEqual([
      { type: "text", text: "b" },
    ]);
    expect(await stateOf(mcp, "test")).toMatchObject({ status: "connected", failure: null });
  });
});

describe("a server that the operator's file starts", () => {
  it("the sample's almanac answers", async () => {
    const mcp = make({ almanac: { command: "node", args: ["servers/almanac.mjs"] } });
    const answer = await callTool(mcp, "almanac", kim, call("day_of_week", { date: "2026-11-20" }));
    expect(answer.content).toEqual([{ type: "text", text: "2026-11-20 is a Friday." }]);
    expect(await callTool(mcp, "almanac", kim, call("day_of_week", { date: "2026-02-30" }))).toMatchObject({
      isError: true,
    });
  });

  it("S-46, S-50: starts only when it is used, and sees no variable of the service", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wheelhouse-mcp-"));
    const seen = join(folder, "seen.json");
    const script = join(folder, "spy.mjs");
    writeFileSync(
      script,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`,
    );
    process.env.CANARY_SECRET = "canary";
    const mcp = make(
      { spy: { command: "node", args: [script], env: { GIVEN: variable("GIVEN") } } },
      { environment: { GIVEN: "yes" } },
    );
    const started = () => {
      try {
        return JSON.parse(String(process.getBuiltinModule("node:fs").readFileSync(seen)));
      } catch {
        return null;
      }
    };
    expect(mcp.servers).toHaveLength(1);
    expect([(await stateOf(mcp, "spy"))?.status, started()]).toEqual(["unauthenticated", null]);
    await expect(mcp.listTools("spy", kim, signal)).rejects.toMatchObject({ failure: "unreachable" });
    delete process.env.CANARY_SECRET;
    expect(started()).toMatchObject({ GIVEN: "yes" });
    expect(JSON.stringify(started())).not.toContain("canary");
    rmSync(folder, { recursive: true });
  });
});

describe("mcp.json", () => {
  it.each([
    ["a server id with two underscores", { a__b: { url: "http://x" } }],
    ["neither url nor command", { a: { name: "A" } }],
    ["a field that is none", { a: { url: "http://x", cmd: "rm" } }],
    ["both url and command", { a: { url: "http://x", command: "rm" } }],
  ])("is refused for %s", (_, mcpServers) => {
    expect(mcpFile.safeParse({ mcpServers }).success).toBe(false);
  });
});
