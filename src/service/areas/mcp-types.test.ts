import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import { mcpFile } from "../mcp/config.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-types-"));
let server: TestMcpServer;
let app: AgentService;

beforeAll(async () => {
  server = await startMcpServer();
  const { url } = server;
  const command = { command: "node", args: ["none.mjs"] };
  const mcpServers = {
    address: { url },
    command,
    deployed: { url, server_type: "gumstack_server" },
    deployed_command: { ...command, server_type: "gumstack_server" },
    hosted: { url, server_type: "gumcp_server" },
    own_command: { ...command, server_type: "mcp_server" },
  };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  const zoe = "{ id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n  - ${zoe}\n`);
  app = await startAgentService({ workspace, empty: false });
});
afterAll(async () => {
  await app.stop();
  await server.close();
  rmSync(workspace, { recursive: true });
});

it("the catalogue says of each server what mcp.json says that it is, and gives no address of a hosted one", async () => {
  const { body } = await app.call("kim", "GET", "/mcp/servers");
  const shown = body.servers.map((one: { server_id: string; type: string; mcp_url: string | null }) => {
    return [one.server_id, one.type, one.mcp_url];
  });
  expect(shown).toEqual([
    ["address", "mcp_server", server.url],
    ["command", "gumcp_server", null],
    ["deployed", "gumstack_server", server.url],
    ["deployed_command", "gumstack_server", null],
    ["hosted", "gumcp_server", null],
    ["own_command", "mcp_server", null],
  ]);
});

it("an agent uses a deployed server under its type", async () => {
  const tools = [{ type: "gumstack_server", server_id: "deployed" }];
  const owner = { "x-auth-key": "user_kim" };
  expect((await app.call("kim", "PATCH", "/agents/agent_offline", { tools }, owner)).status).toBe(200);
  const { body } = await app.start('/deployed__echo {"text":"Ahoy"}', { gummie_id: "agent_offline" });
  expect((await app.settled(body.interaction_id)).response).toBe("Echo: done. Ahoy");
  const listed = await app.call("kim", "GET", "/mcp/servers/deployed/tools");
  expect(listed.body.tools[0]).toMatchObject({ server_id: "deployed", server_type: "gumstack_server" });
});

it("a type that is none is refused", () => {
  const mcpServers = { odd: { url: "http://x", server_type: "gumstack" } };
  expect(mcpFile.safeParse({ mcpServers }).success).toBe(false);
});
