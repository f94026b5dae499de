import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { serveMcp } from "../../testing/serve-mcp.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-tools-"));
const awkward = '🙂é"\\\n';
let parameter = awkward.repeat(3_000);

const server = createServer((request, response) => {
  const mcp = new McpServer({ name: "talker", version: "1.0.0" });
  for (let number = 1; number <= 60; number++) {
    const inputSchema = { text: z.string().describe(parameter) };
    mcp.registerTool(`tool_${number}`, { inputSchema }, () => ({ content: [] }));
  }
  serveMcp(mcp, request, response);
});

let app: AgentService;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const mcpServers = { talker: { url: `http://127.0.0.1:${port}/mcp` } };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  const zoe = "{ id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n  - ${zoe}\n`);
  app = await startAgentService({ workspace, empty: false });
});
afterAll(async () => {
  await app.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(workspace, { recursive: true });
});

const get = (headers: HeadersInit) =>
  app.service.call(app.keys.kim, "GET", "/mcp/servers/talker/tools", undefined, headers);

test("S-281: many tools of an MCP server with long definitions are answered whole, to each encoding, with the tag of their text", async () => {
  for (const encoding of ["identity", "gzip", "br, gzip"]) {
    const answer = await get({ "accept-encoding": encoding });
    expect(answer.headers.get("content-length")).toBeNull();
    const text = await answer.text();
    const { tools, server_id } = JSON.parse(text);
    expect(server_id).toBe("talker");
    expect(tools).toHaveLength(60);
    expect(tools[59]).toMatchObject({ name: "tool_60", server_id: "talker", held: null });
    expect(tools[59].input_schema.properties.text.description).toBe(parameter);
    const tag = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    expect(answer.headers.get("etag")).toBe(`W/"${tag}"`);
  }
});

test("S-281: many tools with long definitions are 304 until one of them is another", async () => {
  const tag = (await get({})).headers.get("etag") ?? "";
  expect((await get({ "if-none-match": tag })).status).toBe(304);
  parameter = `${parameter}.`;
  const { tools } = await (await get({ "if-none-match": tag })).json();
  // It is held until somebody has looked at it, and shown beside what it was.
  expect(tools[0].input_schema.properties.text.description).toBe(parameter);
  expect(`${tools[0].held.before.input_schema.properties.text.description}.`).toBe(parameter);
});
