import { inputRequired } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AgentService } from "../../testing/agents.ts";
import { answer } from "../../testing/approvals.ts";
import { addFlow, askedByRun, askedOnceByRun, runEnd, startFlow } from "../../testing/asking-flows.ts";
import { type AskingServers, startAskingServers } from "../../testing/asking-servers.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { until } from "../../testing/until.ts";
import { expireTimer } from "../../testing/waits.ts";

const berth = { type: "object" as const, properties: { berth: { type: "string" as const } } };
const question = inputRequired.elicit({
  message: "Which berth?",
  requestedSchema: { ...berth, required: ["berth"] },
});

let servers: AskingServers;
let app: AgentService;
beforeAll(async () => {
  servers = await startAskingServers();
  app = servers.app;
  const asking = (server: string, more = "") => `{ type: mcp_tool, server: ${server}, tool: ask${more} }`;
  for (const server of ["pier", "quay"]) {
    await addFlow(
      app,
      `flow_${server}`,
      `
  call: ${asking(server)}
  said: { type: output, value: "{{ call.value }}" }
`,
    );
  }
  await addFlow(
    app,
    "flow_each",
    `
  many: { type: each, items: [a, b], concurrency: 1, do: ${asking("pier")} }
  said: { type: output, value: "{{ many.value }}" }
`,
  );
  await addFlow(
    app,
    "flow_above",
    `
  below: { type: flow, flow: flow_pier }
  said: { type: output, value: "{{ below.value.said }}" }
`,
  );
});
afterAll(() => servers.stop());
beforeEach(() => servers.modern.asks((round) => (round === 0 ? { berth: question } : null)));

const begin = async (flow: string) => {
  const runId = await startFlow(app, flow);
  return { runId, item: await askedOnceByRun(app, runId) };
};
const get = async (path: string) => (await app.call("kim", "GET", path)).body;

describe.each([
  ["of revision 2026-07-28", "pier", () => servers.modern.url],
  ["of an earlier revision", "quay", () => servers.session.url],
])("S-209: a flow calls a tool whose server %s asks", (_, server, urlOf) => {
  it("and the question is in the inbox, with the run that waits for it, until it is answered once", async () => {
    const { runId, item } = await begin(`flow_${server}`);
    expect(item).toMatchObject({
      ...{ kind: "server", state: "waiting", title: "Which berth?", may_answer: true, may_edit: false },
      ...{ agent: null, session: null, message_id: null, part_id: null, arguments_text: "{}" },
      run: { run_id: runId, saved_item_id: `flow_${server}`, node: "call", readable: true },
      tool: {
        tool_call_id: `${server}__ask`,
        name: "ask",
        server: { id: server, host: new URL(urlOf()).host },
      },
      form: { question: "Which berth?", fields: [{ name: "berth", required: true }] },
      who: { rule: "person", people: [{ id: "user_kim" }] },
    });
    const { nodes } = await get(`/runs/${runId}/nodes`);
    expect(nodes[0]).toMatchObject({ id: "call", state: "waiting", waits: [{ kind: "server_question" }] });
    expect((await get(`/runs/${runId}`)).approvals).toMatchObject([
      { inbox_id: item.id, kind: "server", title: "Which berth?", run_id: runId, node: "call" },
    ]);
    const { runs } = await get("/runs?user_id=user_kim&state=RUNNING");
    expect(runs).toMatchObject([{ run_id: runId, waiting_for_people: true }]);
    const wrong = await answer(app, item, { answer: "approve", values: {} });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "values.berth"]);
    const right = { answer: "approve", values: { berth: "North 7" } };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        answer(app, item, n === 0 ? right : { answer: "refuse", reason: `${n}` }, "kim"),
      ),
    );
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
    const { state, outputs, log } = await runEnd(app, runId);
    expect(state).toBe("DONE");
    const answered = (await get(`/inbox/${item.id}`)).item.answer;
    expect(JSON.stringify(outputs)).toContain(answered.answer === "approve" ? "North 7" : "decline");
    expect(log.filter((line) => line === "[call] the server asks: Which berth?")).toHaveLength(1);
  });
});

describe("the call of a flow in which a server asks", () => {
  it.each([
    ["refuse", "decline"],
    ["leave", "cancel"],
  ] as const)("goes on with %s as %s", async (given, action) => {
    const { runId, item } = await begin("flow_pier");
    expect((await answer(app, item, { answer: given })).status).toBe(200);
    expect(JSON.stringify((await runEnd(app, runId)).outputs)).toContain(action);
  });

  it("S-210: is left when nobody answers in time, and an answer is too late", async () => {
    const { runId, item } = await begin("flow_pier");
    await expireTimer(app.context.store, runId, "call/question1");
    const { outputs, log } = await runEnd(app, runId);
    expect(JSON.stringify(outputs)).toContain("cancel");
    expect(log.filter((line) => line.startsWith("[call] nobody answered within"))).toHaveLength(1);
    expect((await get(`/inbox/${item.id}`)).item).toMatchObject({ state: "lapsed", answer: null });
    const late = await answer(app, item, { answer: "approve", values: { berth: "7" } });
    expect([late.status, late.body.error.code]).toEqual([409, "approval_lapsed"]);
  });

  it("S-210: is killed with its run, and its question withdrawn", async () => {
    const { runId, item } = await begin("flow_pier");
    const killed = await app.call("kim", "POST", "/kill_pipeline", { run_id: runId, user_id: "user_kim" });
    expect(killed.status).toBe(200);
    expect((await runEnd(app, runId)).state).toBe("TERMINATED");
    expect((await get(`/inbox/${item.id}`)).item.state).toBe("withdrawn");
    const late = await answer(app, item, { answer: "refuse" });
    expect([late.status, late.body.error.code]).toEqual([409, "approval_withdrawn"]);
  });

  it("S-211: asks for each item of an each, and each call has a key of its own", async () => {
    const before = servers.modern.calls.length;
    const runId = await startFlow(app, "flow_each");
    for (const [index, berth] of ["North", "South"].entries()) {
      const [item] = await askedByRun(app, runId);
      expect((await get(`/runs/${runId}/nodes/many/items`)).items[index]).toMatchObject({
        state: "waiting",
        waits: [{ kind: "server_question", item: index }],
      });
      expect((await answer(app, item ?? { id: "" }, { answer: "approve", values: { berth } })).status).toBe(
        200,
      );
    }
    const { outputs } = await runEnd(app, runId);
    expect(outputs.said).toHaveLength(2);
    expect(JSON.stringify(outputs)).toMatch(/North.*South/);
    const keys = servers.modern.calls.slice(before).map(({ key }) => key);
    expect(keys).toEqual([0, 0, 1, 1].map((index) => `${runId}:many/${index}`));
  });

  it("asks in a sub-run, and the run above says so", async () => {
    const runId = await startFlow(app, "flow_above");
    let below = "";
    await until("the sub-run to begin", async () => {
      const runs = app.context.store.db.selectFrom("executions").select("id").where("parent_id", "=", runId);
      below = (await runs.executeTakeFirst())?.id ?? "";
      return below !== "";
    });
    const item = await askedOnceByRun(app, below);
    expect((await get(`/runs/${runId}`)).approvals).toMatchObject([{ inbox_id: item.id, run_id: below }]);
    await answer(app, item, { answer: "approve", values: { berth: "Deep" } });
    expect(JSON.stringify((await runEnd(app, runId)).outputs)).toContain("Deep");
  });

  it("asks whom the node names, who see the question and not the run", async () => {
    const call = "  call: { type: mcp_tool, server: pier, tool: ask, lapse_s: 3600";
    await expect(addFlow(app, "flow_wrong", `${call}, people: [user_lee] }`)).rejects.toThrow(
      "belongs to who: people",
    );
    await addFlow(app, "flow_named", `${call}, who: people, people: [user_lee] }`);
    const { runId, item } = await begin("flow_named");
    expect(item).toMatchObject({ may_answer: false, who: { rule: "people", people: [{ id: "user_lee" }] } });
    const length = Date.parse(item.lapses_at ?? "") - Date.parse(item.asked_at);
    expect(Math.abs(length - 3_600_000)).toBeLessThan(1_000);
    expect((await answer(app, item, { answer: "refuse" })).status).toBe(403);
    const theirs = (await app.call("lee", "GET", `/inbox/${item.id}`)).body.item;
    expect(theirs).toMatchObject({ may_answer: true, run: { run_id: runId, readable: false } });
    expect((await app.call("lee", "GET", `/runs/${runId}`)).status).toBe(404);
    expect((await answer(app, item, { answer: "approve", values: { berth: "7" } }, "lee")).status).toBe(200);
    expect((await runEnd(app, runId)).state).toBe("DONE");
  });

  it("S-210: is given up after five questions", async () => {
    servers.modern.asks((round) => ({
      berth: inputRequired.elicit({ message: `Which, ${round}?`, requestedSchema: berth }),
    }));
    const runId = await startFlow(app, "flow_pier");
    for (let round = 0; round < 5; round++) {
      const item = await askedOnceByRun(app, runId);
      expect(item.title).toBe(`Which, ${round}?`);
      await answer(app, item, { answer: "approve", values: {} });
    }
    const { state, log } = await runEnd(app, runId);
    expect([state, log.join("\n")]).toEqual([
      "FAILED",
      expect.stringContaining("more than 5 times in one call"),
    ]);
  });

  it("S-210: is told at once that it was declined where it asks for a secret, and nobody is asked", async () => {
    const secret = { type: "object" as const, properties: { apiKey: { type: "string" as const } } };
    servers.modern.asks((round) =>
      round === 0 ? { berth: inputRequired.elicit({ message: "Which?", requestedSchema: secret }) } : null,
    );
    const runId = await startFlow(app, "flow_pier");
    const { outputs, log } = await runEnd(app, runId);
    expect(JSON.stringify(outputs)).toContain("decline");
    expect(log).toContain("[call] the server asks for a secret: declined without asking anybody");
    expect((await get(`/inbox?run_id=${runId}&state=answered`)).items).toEqual([]);
  });

  it("is asked again when its run goes again from it, and reused where it is not", async () => {
    const { runId, item } = await begin("flow_pier");
    await answer(app, item, { answer: "approve", values: { berth: "First" } });
    await runEnd(app, runId);
    const again = async (node: string) => {
      const body = { from: { node } };
      const { body: preview } = await app.call("kim", "POST", `/runs/${runId}/again/preview`, body);
      const started = await app.call("kim", "POST", `/runs/${runId}/again`, {
        ...body,
        preview: preview.preview,
      });
      expect([started.status, started.body]).toEqual([200, expect.anything()]);
      return String(started.body.run_id);
    };
    const reused = await again("said");
    const calls = servers.modern.calls.length;
    expect(JSON.stringify((await runEnd(app, reused)).outputs)).toContain("First");
    expect(servers.modern.calls).toHaveLength(calls);
    const anew = await again("call");
    await answer(app, await askedOnceByRun(app, anew), { answer: "approve", values: { berth: "Second" } });
    expect(JSON.stringify((await runEnd(app, anew)).outputs)).toContain("Second");
  });
});

it("nothing is left that waits for nobody", async () => {
  expect(await brokenInvariants(app.context.store)).toEqual([]);
});
