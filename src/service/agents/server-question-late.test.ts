import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { answer, askedOnce, askingAgent } from "../../testing/approvals.ts";
import { addFlow, runEnd, startFlow } from "../../testing/asking-flows.ts";
import { type ModernMcpServer, startModernMcpServer } from "../../testing/modern-mcp-server.ts";
import { expireTimer } from "../../testing/waits.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-late-"));
let server: ModernMcpServer;
let app: AgentService;
let agent: string;
beforeAll(async () => {
  server = await startModernMcpServer();
  const mcpServers = { pier: { name: "Pier", url: server.url } };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  const zoe = "{ id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n  - ${zoe}\n`);
  app = await startAgentService({ workspace, empty: false });
  agent = await askingAgent(app, { tools: [{ type: "mcp_server", server_id: "pier" }] });
});
afterAll(async () => {
  await app.stop();
  rmSync(workspace, { recursive: true, force: true });
});

const ask = () => askedOnce(app, "/pier__ask {}", { gummie_id: agent });
const callOf = async (id: string) => JSON.stringify((await app.settled(id)).messages[1].parts[0]);

it("S-208: a question that nobody answers in time is left, the server hears so, and an answer is too late", async () => {
  const { id, item } = await ask();
  const { db } = app.context.store;
  const step = await db
    .selectFrom("approvals")
    .select(["execution_id", "step_key"])
    .where("id", "=", item.id)
    .executeTakeFirstOrThrow();
  await expireTimer(app.context.store, step.execution_id, step.step_key);
  expect(await callOf(id)).toContain("cancel");
  const { body } = await app.call("kim", "GET", `/inbox/${item.id}`);
  expect(body.item).toMatchObject({ kind: "server", state: "lapsed", answer: null });
  const late = await answer(app, item, { answer: "approve", values: { berth: "7" } });
  expect([late.status, late.body.error.code]).toEqual([409, "approval_lapsed"]);
});

it("S-209: a node of a flow cannot pass a question on, and fails with a sentence", async () => {
  await addFlow(app, "flow_pier", "\n  pier: { type: mcp_tool, server: pier, tool: ask }\n");
  const { state, log } = await runEnd(app, await startFlow(app, "flow_pier"));
  expect(state).toBe("FAILED");
  expect(log.join("\n")).toContain(
    "The tool ask of the MCP server Pier asks a person before it goes on: only an agent in a conversation can pass that on",
  );
});

it("S-208: a server that is gone when the answer comes is named, and the turn goes on with that", async () => {
  const { id, item } = await ask();
  await server.close();
  expect((await answer(app, item, { answer: "approve", values: { berth: "7" } })).status).toBe(200);
  expect(await callOf(id)).toMatch(/The MCP server Pier (cannot be reached|stopped responding)/);
  const { body } = await app.call("kim", "GET", `/sessions/${id}`);
  expect(body.session.state).toBe("completed");
});
