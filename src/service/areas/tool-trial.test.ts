import { inputRequired } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AskingServers, startAskingServers } from "../../testing/asking-servers.ts";
import { auditOf } from "../../testing/audit.ts";

let servers: AskingServers;
beforeAll(async () => {
  servers = await startAskingServers();
});
afterAll(() => servers.stop());

const properties = { berth: { type: "string" as const } };
const berth = inputRequired.elicit({
  message: "Which berth?",
  requestedSchema: { type: "object", properties, required: ["berth"] },
});
beforeEach(() => servers.modern.asks((round) => (round === 0 ? { berth } : null)));

const tryTool = (server: string, answered?: readonly object[]) =>
  servers.app.call("kim", "POST", `/mcp/servers/${server}/tools/ask/call`, { arguments: {}, answered });

type Given = { answer: "approve" | "refuse" | "leave"; values?: Readonly<Record<string, unknown>> };

/** Answers all that was asked in the same way. */
const round = ({ body: { asks } }: Awaited<ReturnType<typeof tryTool>>, given: Given) => ({
  state: asks.state,
  answers: asks.questions.map(({ id, digest }: Record<string, string>) => ({ id, digest, ...given })),
});

it.each(["pier", "quay"])(
  "a tool of %s that is tried by hand asks in place of its answer",
  async (server) => {
    const first = await tryTool(server);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ content: [], is_error: false });
    expect(first.body.asks.questions).toMatchObject([
      { question: "Which berth?", fields: [{ name: "berth", required: true }], link: null, refusal: null },
    ]);
    const then = await tryTool(server, [
      round(first, { answer: "approve", values: { berth: "canary 7", unfilled: null } }),
    ]);
    expect(then.status).toBe(200);
    expect(then.body.asks).toBeUndefined();
    expect(JSON.stringify(then.body.content)).toContain("canary 7");
    expect(JSON.stringify(then.body.content)).not.toContain("unfilled");
    const audited = await auditOf(servers.app.context, "mcp.call_tool");
    expect(audited.at(-1)).toMatchObject({ object_id: server, user_id: "user_kim" });
    expect(JSON.stringify(audited)).not.toContain("canary");
    expect((await servers.app.call("kim", "GET", "/inbox")).body.items).toEqual([]);
  },
);

it.each([
  ["refuse", "decline"],
  ["leave", "cancel"],
] as const)("its server is told that a person did not: %s", async (answer, action) => {
  const first = await tryTool("pier");
  const then = await tryTool("pier", [round(first, { answer })]);
  expect(JSON.stringify(then.body.content)).toContain(action);
});

it("S-200: in a trial, too, a field for a secret is shown to nobody", async () => {
  const secret = inputRequired.elicit({
    message: "Your key?",
    requestedSchema: { type: "object", properties: { apiKey: { type: "string" } } },
  });
  servers.modern.asks((asked) => (asked === 0 ? { secret } : null));
  const first = await tryTool("pier");
  expect(first.body.asks.questions).toMatchObject([
    { question: "", fields: [], refusal: "asks for a secret" },
  ]);
  const then = await tryTool("pier", [round(first, { answer: "refuse" })]);
  expect(JSON.stringify(then.body.content)).toContain("decline");
});

it("a page to open comes with its host, and is told apart from the server's own", async () => {
  const page = inputRequired.elicitUrl({ message: "Open it.", url: "https://bank.example/x" });
  servers.modern.asks((asked) => (asked === 0 ? { page } : null));
  const first = await tryTool("pier");
  const link = { url: "https://bank.example/x", host: "bank.example", is_foreign: true };
  expect(first.body.asks.questions).toMatchObject([{ question: "Open it.", fields: [], link }]);
  const then = await tryTool("pier", [round(first, { answer: "approve" })]);
  expect(JSON.stringify(then.body.content)).toContain("accept");
});

it("of more than 100 questions at once no more are told than can be answered", async () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`berth${at}`, berth]));
  servers.modern.asks((asked) => (asked === 0 ? many : null));
  const first = await tryTool("pier");
  expect(first.body.asks.questions).toHaveLength(100);
  const then = await tryTool("pier", [round(first, { answer: "refuse" })]);
  expect(then.status).toBe(200);
  expect(then.body.asks).toBeUndefined();
});

it("S-201: a server that goes on asking in a trial is given up after five times", async () => {
  servers.modern.asks(() => ({ berth }));
  const answered: object[] = [];
  for (let asked = 0; asked < 5; asked++) {
    const came = await tryTool("pier", answered);
    answered.push(round(came, { answer: "approve", values: { berth: String(asked) } }));
  }
  const last = await tryTool("pier", answered);
  expect(last.status).toBe(502);
  expect(last.body.error).toMatchObject({ code: "tool_call_failed" });
  expect(last.body.error.message).toContain("more than 5 times");
});

it.each([
  ["answered.0.answers.0.answer", [{ state: null, answers: [{ id: "a", digest: "b", answer: "perhaps" }] }]],
  [
    "answered.0.answers.0.values",
    [{ state: null, answers: [{ id: "a", digest: "b", answer: "approve", values: { berth: { no: 1 } } }] }],
  ],
  ["answered", Array.from({ length: 6 }, () => ({ state: null, answers: [] }))],
])("an answer that cannot be one is refused with its field: %s", async (param, answered) => {
  const { status, body } = await tryTool("pier", answered);
  expect(status).toBe(400);
  expect(body.error.param).toContain(param);
});
