import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentService } from "../../testing/agents.ts";
import { variable } from "../../testing/mcp.ts";
import { startMcpHost } from "../../testing/mcp-host.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";

let server: TestMcpServer;
let app: AgentService;

beforeAll(async () => {
  server = await startMcpServer("token-of-the-operator");
  const headers = { authorization: `Bearer ${variable("TEST_MCP_TOKEN")}` };
  const mcpServers = {
    harbor: { name: "Harbor", description: "Says things again", url: `${server.url}?key=canary`, headers },
    private: { url: server.url, teams: ["team_blue"] },
    keyed: { url: `https://mcp.example/s/${variable("TEST_MCP_KEY")}/mcp`, teams: ["team_red"] },
    whole: { url: variable("TEST_MCP_URL"), teams: ["team_red"] },
  };
  const environment = {
    TEST_MCP_TOKEN: "token-of-the-operator",
    TEST_MCP_KEY: "canary-key",
    TEST_MCP_URL: "https://mcp.example:8443/canary-path/mcp?x=canary",
  };
  app = await startMcpHost(mcpServers, { environment });
});
afterAll(async () => {
  await app.stop();
  await server.close();
});

async function say(tool: object, message: string) {
  const headers = { "x-auth-key": "user_kim" };
  const change = { tools: [{ type: "mcp_server", server_id: "harbor", ...tool }] };
  expect((await app.call("kim", "PATCH", "/agents/agent_offline", change, headers)).status).toBe(200);
  const { body } = await app.start(message, { gummie_id: "agent_offline" });
  return app.settled(body.interaction_id);
}
const firstPart = (status: { messages: { parts: unknown[] }[] }) => status.messages[1]?.parts[0];

describe("the catalogue (§4.9)", () => {
  it("lists what the caller may see, with no status that is not known, and without keys in addresses", async () => {
    const before = server.calls.length;
    const { body } = await app.call("kim", "GET", "/mcp/servers");
    expect(body.servers).toMatchObject([
      {
        server_id: "harbor",
        name: "Harbor",
        type: "mcp_server",
        status: "unauthenticated",
        tool_count: null,
        mcp_url: server.url,
      },
      { server_id: "keyed", mcp_url: `https://mcp.example/s/${variable("TEST_MCP_KEY")}/mcp` },
      { server_id: "whole", mcp_url: "https://mcp.example:8443/" },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/canary|token-of/);
    expect(server.calls).toHaveLength(before);
    const lee = await app.call("lee", "GET", "/mcp/servers?team_id=team_blue");
    expect(lee.body.servers.map(({ server_id }: { server_id: string }) => server_id)).toEqual([
      "harbor",
      "private",
    ]);
    expect((await app.call("kim", "GET", "/mcp/servers?team_id=team_blue")).status).toBe(403);
    expect((await app.call("kim", "GET", "/mcp/servers/private")).status).toBe(404);
  });

  it("has the tools of a server that answers, which then counts as connected", async () => {
    const { body } = await app.call("kim", "GET", "/mcp/servers/harbor/tools");
    expect(body.tools[0]).toMatchObject({
      tool_call_id: "harbor__echo",
      name: "echo",
      input_schema: { type: "object" },
    });
    const one = await app.call("kim", "GET", "/mcp/servers/harbor");
    expect(one.body.server).toMatchObject({ status: "connected", tool_count: 5 });
  });
});

describe("trying a tool", () => {
  it("answers what the tool says, also that it failed, and 502 where nobody answers", async () => {
    const call = (tool: string, body = {}) =>
      app.call("kim", "POST", `/mcp/servers/harbor/tools/${tool}/call`, body);
    expect((await call("echo", { arguments: { text: "Ahoy" } })).body).toMatchObject({
      content: [{ text: "Ahoy" }],
      is_error: false,
    });
    expect((await call("refuse")).body).toMatchObject({ is_error: true });
    expect((await call("nothing")).status).toBe(404);
    expect((await app.call("kim", "POST", "/mcp/servers/private/tools/echo/call", {})).status).toBe(404);
    server.refuse(503);
    const gone = await call("echo", { arguments: { text: "Ahoy" } });
    server.refuse(null);
    expect([gone.status, gone.body.error.code]).toEqual([502, "tool_call_failed"]);
  });
});

describe("a turn with an MCP server", () => {
  it("calls its tools with the operator's credentials and a key that a repeated call would share (S-49)", async () => {
    const status = await say({}, '/harbor__echo {"text":"Ahoy"}');
    expect(firstPart(status)).toMatchObject({
      toolName: "harbor__echo",
      toolCallState: "completed",
      result: { result: "Ahoy" },
    });
    expect(server.calls.at(-1)).toMatchObject({
      authorization: "Bearer token-of-the-operator",
      key: expect.stringMatching(/^1-0-turn_/),
    });
    expect(JSON.stringify(status)).not.toContain("token-of");
  });

  it("takes an error of the tool for what it is, and leaves bytes out", async () => {
    expect(firstPart(await say({}, "/harbor__refuse"))).toMatchObject({
      toolCallState: "failed",
      result: { result: "It does not want to." },
    });
    expect(firstPart(await say({}, "/harbor__picture"))).toMatchObject({
      result: {
        result: [
          { type: "image", data: "(left out)" },
          { type: "resource", resource: { uri: "file:///a.pdf", blob: "(left out)" } },
        ],
      },
    });
  });

  it("S-47: leaves out tools that are not on the agent's list", async () => {
    const listed = await say({ allowed_tool_call_ids: ["harbor__refuse"] }, '/harbor__echo {"text":"Ahoy"}');
    expect(listed.response).toContain("this agent has no such tool. Tools of this agent: harbor__refuse.");
  });

  it("S-22: uses no server that those for whom it acts may not use, though the agent's list names it", async () => {
    const tools = JSON.stringify([{ type: "mcp_server", server_id: "private" }]);
    const { db } = app.context.store;
    await db.updateTable("agents").set({ tools }).where("id", "=", "agent_red").execute();
    const message = '/private__echo {"text":"Ahoy"}';
    const before = server.calls.length;
    const ofTeam = await app.start(message, { gummie_id: "agent_red", project_id: "team_red" });
    expect((await app.settled(ofTeam.body.interaction_id)).response).toContain("no such tool");
    expect(server.calls).toHaveLength(before);
    // Lee is in the team that may: the server is asked, and wants credentials that its entry does not have.
    const ofLee = await app.start(
      message,
      { gummie_id: "agent_red", project_id: "team_red", user_id: "user_lee" },
      "lee",
    );
    await app.settled(ofLee.body.interaction_id);
    const states = await app.context.mcp.states({ type: "user", id: "user_lee" });
    expect(states.get("private")).toMatchObject({ status: "unauthenticated", auth: "sign_in" });
  });

  it("goes on without the tools of a server that does not answer", async () => {
    server.refuse(503);
    const status = await say({}, '/harbor__echo {"text":"Ahoy"}');
    server.refuse(null);
    expect(status).toMatchObject({ state: "COMPLETED", response: expect.stringContaining("no such tool") });
  });
});
