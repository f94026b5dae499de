import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentService } from "../../testing/agents.ts";
import { answer, askedOnce } from "../../testing/approvals.ts";
import { type AskingServers, startAskingServers } from "../../testing/asking-servers.ts";
import { expireTimer } from "../../testing/waits.ts";

let servers: AskingServers;
let app: AgentService;
let agent: string;
beforeAll(async () => {
  servers = await startAskingServers();
  app = servers.app;
  agent = await servers.agent();
});
afterAll(() => servers.stop());

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

it("S-208: a server that is gone when the answer comes is named, and the turn goes on with that", async () => {
  const { id, item } = await ask();
  await servers.modern.close();
  expect((await answer(app, item, { answer: "approve", values: { berth: "7" } })).status).toBe(200);
  expect(await callOf(id)).toMatch(/The MCP server Pier (cannot be reached|stopped responding)/);
  const { body } = await app.call("kim", "GET", `/sessions/${id}`);
  expect(body.session.state).toBe("completed");
});
