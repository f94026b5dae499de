import { inputRequired } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentService } from "../../testing/agents.ts";
import { answer, asked, askedOnce } from "../../testing/approvals.ts";
import { type AskingServers, startAskingServers } from "../../testing/asking-servers.ts";
import { auditOf } from "../../testing/audit.ts";
import type { ModernMcpServer } from "../../testing/modern-mcp-server.ts";
import type { SessionMcpServer } from "../../testing/session-mcp-server.ts";

let servers: AskingServers;
let modern: ModernMcpServer;
let session: SessionMcpServer;
let app: AgentService;
beforeAll(async () => {
  servers = await startAskingServers();
  ({ modern, session, app } = servers);
});
afterAll(() => servers.stop());
beforeEach(() => {
  modern.asks((round) => (round === 0 ? { berth } : null));
});

const berth = inputRequired.elicit({
  message: "Which berth?",
  requestedSchema: { type: "object", properties: { berth: { type: "string" } }, required: ["berth"] },
});
const form = (properties: Record<string, unknown>) =>
  inputRequired.elicit({
    message: "Which?",
    requestedSchema: { type: "object", properties: JSON.parse(JSON.stringify(properties)) },
  });
const agent = () => servers.agent();
const ask = async (call: string) => askedOnce(app, call, { gummie_id: await agent() });
const resultOf = async (id: string) => {
  const [part] = (await app.settled(id)).messages[1]?.parts ?? [];
  return part?.result?.result;
};

describe.each([
  ["of revision 2026-07-28", "pier", () => new URL(modern.url).host],
  ["of an earlier revision", "quay", () => new URL(session.url).host],
])("a server %s that asks in the middle of a call", (_, server, hostOf) => {
  it("has its question in the inbox with its name and host, and gets what was filled in", async () => {
    const { id, item } = await ask(`/${server}__ask {}`);
    expect(item).toMatchObject({
      ...{ kind: "server", state: "waiting", title: "Which berth?", may_answer: true, may_edit: false },
      tool: { name: "ask", server: { id: server, host: hostOf() } },
      form: { question: "Which berth?", fields: [{ name: "berth", type: "text", required: true }] },
      link: null,
    });
    const wrong = await answer(app, item, { answer: "approve", values: {} });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "values.berth"]);
    expect((await answer(app, item, { answer: "approve", values: { berth: "canary 7" } })).status).toBe(200);
    expect(JSON.stringify(await resultOf(id))).toContain("canary 7");
    const audited = await auditOf(app.context, "question.answer");
    expect(audited.at(-1)).toMatchObject({ object_id: item.id, user_id: "user_kim" });
    expect(JSON.stringify(audited)).not.toContain("canary");
  });

  it.each([
    ["refuse", "decline"],
    ["leave", "cancel"],
  ] as const)("is told that a person did not: %s", async (given, action) => {
    const { id, item } = await ask(`/${server}__ask {}`);
    expect((await answer(app, item, { answer: given })).status).toBe(200);
    expect(JSON.stringify(await resultOf(id))).toContain(action);
    expect((await app.call("kim", "GET", `/inbox/${item.id}`)).body.item).toMatchObject({
      state: "refused",
      answer: { answer: given, values: null },
    });
  });
});

it("S-200: a field for a secret is shown to nobody, and declined", async () => {
  modern.asks((round) => (round === 0 ? { berth: form({ apiKey: { type: "string" } }) } : null));
  const { body } = await app.start("/pier__ask {}", { gummie_id: await agent() });
  const told = JSON.stringify(await resultOf(body.interaction_id));
  expect(told).toContain("asks for a secret");
  expect(told).toContain("decline");
  const { body: inbox } = await app.call(
    "kim",
    "GET",
    `/inbox?session_id=${body.interaction_id}&state=answered`,
  );
  expect(inbox.items).toEqual([]);
});

it("S-201: a server that goes on asking is given up after five questions", async () => {
  modern.asks((round) => ({ berth: form({ [`berth_${round}`]: { type: "string" } }) }));
  const { id, item } = await ask("/pier__ask {}");
  let next: typeof item | undefined = item;
  let answers = 0;
  for (; next !== undefined; answers++) {
    expect((await answer(app, next, { answer: "approve", values: {} })).status).toBe(200);
    [next] = answers < 4 ? await asked(app, id) : [];
  }
  expect(answers).toBe(5);
  expect(await resultOf(id)).toContain("more than 5 times");
});

it("S-202: an answer is for the very question that was asked", async () => {
  const { id, item } = await ask("/quay__ask {}");
  session.asks({
    message: "Which berth, and may I sell it?",
    requestedSchema: { type: "object", properties: { berth: { type: "string" } }, required: ["berth"] },
  });
  const before = session.answers.length;
  await answer(app, item, { answer: "approve", values: { berth: "7" } });
  const [again] = await asked(app, id);
  expect(again?.title).toBe("Which berth, and may I sell it?");
  expect(session.answers.slice(before)).toEqual([{ action: "cancel" }]);
  await answer(app, again ?? item, { answer: "refuse" });
  expect(JSON.stringify(await resultOf(id))).toContain("decline");
});

it("S-203: an address is never opened by the service, and only https is shown, with its host", async () => {
  const link = (url: string) => inputRequired.elicitUrl({ message: "Open it.", url });
  modern.asks((round) => (round === 0 ? { berth: link("https://bank.example/x?y=1") } : null));
  const { id, item } = await ask("/pier__ask {}");
  expect(item).toMatchObject({
    link: { url: "https://bank.example/x?y=1", host: "bank.example", is_foreign: true },
    form: { question: "Open it.", fields: [] },
  });
  await answer(app, item, { answer: "approve" });
  expect(JSON.stringify(await resultOf(id))).toContain('action\\":\\"accept');
  for (const url of ["http://bank.example/", "javascript:alert(1)", "https://bank.example@evil.example/"]) {
    modern.asks((round) => (round === 0 ? { berth: link(url) } : null));
    const { body } = await app.start("/pier__ask {}", { gummie_id: await agent() });
    expect(JSON.stringify(await resultOf(body.interaction_id))).toContain("not safe to open");
  }
});

it("a call of revision 2025-11-25 that needs a page to be opened is made again when a person has", async () => {
  const { id, item } = await ask("/quay__link {}");
  expect(item).toMatchObject({ title: "Sign in at the bank.", link: { host: "bank.example" } });
  await answer(app, item, { answer: "approve" });
  expect(await resultOf(id)).toBe("Linked.");
});
