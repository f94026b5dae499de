import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import { mcpFile, readMcpFile } from "./config.ts";
import { loadMcpServers } from "./load.ts";
import { createMcp, type Mcp } from "./mcp.ts";

const { signal } = new AbortController();
const directory = resolve(import.meta.dirname, "../../../workspace");
let server: TestMcpServer;
const open: Mcp[] = [];

beforeAll(async () => {
  server = await startMcpServer("secret-of-the-server");
});
afterAll(() => server.close());
afterEach(async () => {
  server.refuse(null);
  await Promise.all(open.splice(0).map((mcp) => mcp.close()));
});

function make(servers: object, environment: Record<string, string> = {}): Mcp {
  const entries = readMcpFile(mcpFile.parse({ mcpServers: servers }), environment);
  const mcp = createMcp(entries, { fetch: globalThis.fetch, version: "1.0.0", directory, path: undefined });
  open.push(mcp);
  return mcp;
}

/** As `mcp.json` writes it. */
const variable = (name: string) => ["$", "{", name, "}"].join("");
const withToken = (value: string) => ({
  test: { url: server.url, headers: { authorization: `Bearer ${value}` } },
});
const call = (tool: string, args = {}) => ({ tool, args, key: "1-0-turn_x", signal });

describe("a server over streamable HTTP", () => {
  it("lists its tools and calls them, with the key of the call", async () => {
    const mcp = make(withToken(variable("TOKEN")), { TOKEN: "secret-of-the-server" });
    expect(mcp.status("test")).toEqual({ type: "unknown" });
    const tools = await mcp.listTools("test", signal);
    expect(tools.map(({ name }) => name)).toEqual(["echo", "refuse", "picture"]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["text"] });
    expect(mcp.status("test")).toEqual({ type: "connected", toolCount: 3 });
    const answer = await mcp.callTool("test", call("echo", { text: "Ahoy" }));
    expect(answer).toEqual({ content: [{ type: "text", text: "Ahoy" }], structured: null, isError: false });
    expect(server.calls.at(-1)).toMatchObject({ tool: "echo", key: "1-0-turn_x" });
    expect(await mcp.callTool("test", call("refuse"))).toMatchObject({ isError: true });
  });

  it("says that it wants credentials, without repeating any", async () => {
    const mcp = make(withToken("wrong-secret"));
    const error = await mcp.listTools("test", signal).catch((reason: Error) => reason);
    expect(error).toMatchObject({ failure: "unauthenticated" });
    expect(String(error)).not.toContain("wrong-secret");
    expect(mcp.status("test")).toEqual({ type: "unauthenticated" });
  });

  it("names a variable that is not set, and asks nobody", async () => {
    const mcp = make(withToken(variable("TOKEN_THAT_IS_NOT_SET")));
    expect(mcp.status("test")).toEqual({ type: "unauthenticated" });
    await expect(mcp.listTools("test", signal)).rejects.toThrow("TOKEN_THAT_IS_NOT_SET");
  });

  it("recovers when the server comes back", async () => {
    const mcp = make(withToken("secret-of-the-server"));
    await mcp.listTools("test", signal);
    server.refuse(503);
    await expect(mcp.callTool("test", call("echo", { text: "a" }))).rejects.toMatchObject({
      failure: "unreachable",
    });
    expect(mcp.status("test")).toEqual({ type: "unreachable" });
    server.refuse(null);
    expect((await mcp.callTool("test", call("echo", { text: "b" }))).content).toEqual([
      { type: "text", text: "b" },
    ]);
  });
});

describe("a server that the operator's file starts", () => {
  it("the sample's almanac answers", async () => {
    const entries = await loadMcpServers(directory, {});
    const mcp = createMcp(entries, { fetch: globalThis.fetch, version: "1.0.0", directory, path: undefined });
    open.push(mcp);
    const answer = await mcp.callTool("almanac", call("day_of_week", { date: "2026-11-20" }));
    expect(answer.content).toEqual([{ type: "text", text: "2026-11-20 is a Friday." }]);
    expect(await mcp.callTool("almanac", call("day_of_week", { date: "2026-02-30" }))).toMatchObject({
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
      { GIVEN: "yes" },
    );
    const started = () => {
      try {
        return JSON.parse(String(process.getBuiltinModule("node:fs").readFileSync(seen)));
      } catch {
        return null;
      }
    };
    expect(mcp.servers).toHaveLength(1);
    expect([mcp.status("spy").type, started()]).toEqual(["unknown", null]);
    await expect(mcp.listTools("spy", signal)).rejects.toMatchObject({ failure: "unreachable" });
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
