import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InboxItem } from "../../contract/inbox.ts";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { answer } from "../../testing/approvals.ts";
import { addFlow, askedByRun, askedOnceByRun, runEnd, startFlow } from "../../testing/asking-flows.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { endWaitingStep } from "../engine/wake.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  await addFlow(
    app,
    "flow_pay",
    `
  amount: { type: input, default: 80 }
  ask:
    type: approval
    question: "Pay {{ amount.value }} to the harbour?"
    details: "**Invoice** of {{ amount.value }}"
    form:
      - { name: paid, type: number, label: "How much", required: true, default: "{{ amount.value }}", min: 1, max: 100 }
      - { name: account, type: choice, choices: [north, south], help: "From which account" }
      - { name: day, type: date, min: 2026-01-01 }
      - { name: urgent, type: boolean }
      - { name: note, type: long_text, max: 20 }
  paid: { type: template, text: "paid {{ ask.answers.paid }} from {{ ask.answers.account }}" }
  sorry: { type: template, text: "not paid: {{ ask.reason }}", when: ask.refused }
  late: { type: template, text: "too late", when: ask.lapsed }
  after: { type: template, text: "after", after: [ask] }
  what: { type: output, value: "{{ paid.value }}{{ sorry.value }}{{ late.value }}", join: any }
  came: { type: output, value: "{{ ask.value }}", join: any }
  next: { type: output, value: "{{ after.value }}" }
`,
  );
});
afterAll(() => app.stop());

const started = async (flow = "flow_pay", inputs = {}) => {
  const runId = await startFlow(app, flow, { inputs });
  return { runId, item: await askedOnceByRun(app, runId) };
};

describe("a flow that asks", () => {
  it("is in the inbox with its question and its form, and its run waits for it", async () => {
    const { runId, item } = await started();
    expect(item).toMatchObject({
      ...{
        kind: "flow",
        state: "waiting",
        title: "Pay 80 to the harbour?",
        may_answer: true,
        may_edit: false,
      },
      ...{ agent: null, session: null, tool: null, arguments_text: null, arguments: null },
      run: {
        run_id: runId,
        saved_item_id: "flow_pay",
        saved_item_name: "flow_pay",
        node: "ask",
        readable: true,
      },
      who: { rule: "person", people: [{ id: "user_kim" }] },
      form: { question: "Pay 80 to the harbour?", details: "**Invoice** of 80" },
    });
    expect(item.form?.fields).toEqual([
      {
        ...{ name: "paid", type: "number", label: "How much", help: null, required: true, default: 80 },
        ...{ min: 1, max: 100, whole: false, choices: [] },
      },
      {
        ...{ name: "account", type: "choice", label: "account", help: "From which account", required: false },
        ...{ default: null, min: null, max: null, whole: false, choices: ["north", "south"] },
      },
      {
        ...{ name: "day", type: "date", label: "day", help: null, required: false, default: null },
        ...{ min: "2026-01-01", max: null, whole: false, choices: [] },
      },
      {
        ...{ name: "urgent", type: "boolean", label: "urgent", help: null, required: false, default: null },
        ...{ min: null, max: null, whole: false, choices: [] },
      },
      {
        ...{ name: "note", type: "long_text", label: "note", help: null, required: false, default: null },
        ...{ min: null, max: 20, whole: false, choices: [] },
      },
    ]);
    const details = await app.call("kim", "GET", `/runs/${runId}`);
    expect(details.body).toMatchObject({
      state: "RUNNING",
      approvals: [
        { inbox_id: item.id, kind: "flow", title: "Pay 80 to the harbour?", run_id: runId, node: "ask" },
      ],
    });
    const nodes = await app.call("kim", "GET", `/runs/${runId}/nodes`);
    const asking = nodes.body.nodes.find(({ id }: { id: string }) => id === "ask");
    expect(asking).toMatchObject({
      state: "waiting",
      waits: [{ kind: "approval", run_id: null, item: null }],
    });
    await app.call("kim", "POST", "/kill_pipeline", { run_id: runId, user_id: "user_kim" });
  });

  it("is told apart from others of its flow by what its run was given", async () => {
    const inputs = { amount: 70 };
    const { item } = await started("flow_pay", inputs);
    expect(item.run?.inputs).toEqual(inputs);
    const { items } = (await app.call("kim", "GET", `/inbox?run_id=${item.run?.run_id}`)).body;
    expect(items).toMatchObject([{ id: item.id, run: { inputs } }]);
  });

  it("is told by the list of runs while it waits, by its tag too, and no longer", async () => {
    const { runId, item } = await started();
    const list = async (tag = "") => {
      const listed = await app.service.call(app.keys.kim, "GET", "/runs?saved_item_id=flow_pay", undefined, {
        "if-none-match": tag,
      });
      const body = listed.status === 304 ? null : await listed.json();
      const row = body?.runs.find((one: { run_id: string }) => one.run_id === runId);
      return { tag: listed.headers.get("etag") ?? "", waits: row?.waiting_for_people };
    };
    const waiting = await list();
    expect(waiting.waits).toBe(true);
    expect(await list(waiting.tag)).toMatchObject({ waits: undefined });
    await answer(app, item, { answer: "refuse", reason: "no" });
    await runEnd(app, runId);
    expect(await list(waiting.tag)).toMatchObject({ waits: false });
  });

  it("goes on with what was filled in when it is approved, and only on that branch", async () => {
    const { runId, item } = await started();
    const values = { paid: 99.5, account: "south", urgent: false, note: "" };
    const approved = await answer(app, item, { answer: "approve", values, reason: "Agreed." });
    expect([approved.status, approved.body.item.answer]).toMatchObject([
      200,
      {
        answer: "approve",
        reason: "Agreed.",
        values: { paid: 99.5, account: "south", day: null, urgent: false, note: null },
      },
    ]);
    const end = await runEnd(app, runId);
    expect(end).toMatchObject({
      state: "DONE",
      outputs: {
        what: "paid 99.5 from south",
        next: "after",
        came: {
          outcome: "approved",
          answers: { paid: 99.5, account: "south", day: null, urgent: false, note: null },
          reason: "Agreed.",
          answered_by: { id: "user_kim", name: "Kim Test", email: "user_kim@example.com" },
        },
      },
    });
    expect(end.log).toContain("[ask] asks: Pay 80 to the harbour?");
    expect(end.log).toContain("[ask] approved by Kim Test: Agreed.");
  });

  it("S-111: does nothing that depends on it when it is refused, but what says so", async () => {
    const { runId, item } = await started();
    expect((await answer(app, item, { answer: "refuse", reason: "Too dear." })).status).toBe(200);
    const { state, outputs, log } = await runEnd(app, runId);
    expect([state, outputs.what, outputs.next, outputs.came.outcome]).toEqual([
      "DONE",
      "not paid: Too dear.",
      undefined,
      "refused",
    ]);
    expect(log).toEqual(expect.arrayContaining(["[paid] skipped", "[after] skipped", "[late] skipped"]));
  });

  it("S-111: lapses by the database's clock, goes on on that branch, and cannot be answered after that", async () => {
    const { runId, item } = await started();
    const { db } = app.context.store;
    await db
      .updateTable("approvals")
      .set({ lapses_at: new Date(Date.now() - 1_000).toISOString() })
      .where("id", "=", item.id)
      .execute();
    const late = await answer(app, item, { answer: "approve", values: { paid: 5 } });
    expect([late.status, late.body.error.code]).toEqual([409, "approval_lapsed"]);
    await db.transaction().execute(async (tx) => {
      await endWaitingStep(tx, runId, "ask/ask", { state: "done", output: null });
    });
    const { state, outputs } = await runEnd(app, runId);
    expect([state, outputs.what, outputs.next]).toEqual(["DONE", "too late", undefined]);
    const { body } = await app.call("kim", "GET", `/inbox/${item.id}`);
    expect(body.item).toMatchObject({ state: "lapsed", answer: null });
  });

  it("asks in each item of a list and in a sub-flow, for whoever started the outermost run", async () => {
    await addFlow(
      app,
      "flow_each_in",
      `
  names: { type: input }
  all:
    type: each
    items: "{{ names.value }}"
    do: { type: approval, question: "Let {{ item }} in? ({{ index }})", form: [{ name: pier, type: text }] }
  out: { type: output, value: "{{ all.value }}" }
`,
    );
    await addFlow(
      app,
      "flow_each",
      `
  in: { type: flow, flow: flow_each_in, inputs: { names: [Halcyon, Petrel, Tern] } }
  out: { type: output, value: "{{ in.value.out }}" }
`,
    );
    const runId = await startFlow(app, "flow_each");
    const { db } = app.context.store;
    const child = async () =>
      await db.selectFrom("executions").select("id").where("parent_id", "=", runId).executeTakeFirst();
    await expect.poll(async () => (await child())?.id).toBeDefined();
    const childId = (await child())?.id ?? "";
    const items = await askedByRun(app, childId, { count: 3 });
    expect(items.map(({ title }) => title).sort()).toEqual([
      "Let Halcyon in? (0)",
      "Let Petrel in? (1)",
      "Let Tern in? (2)",
    ]);
    const above = await app.call("kim", "GET", `/runs/${runId}`);
    expect(above.body.approvals).toHaveLength(3);
    expect(above.body.approvals[0]).toMatchObject({ run_id: childId, node: "all" });
    const one = (name: string) => items.find(({ title }) => title.includes(name)) ?? { id: "" };
    await answer(app, one("Petrel"), { answer: "refuse", reason: "Full." });
    await answer(app, one("Halcyon"), { answer: "approve", values: { pier: "A" } });
    await answer(app, one("Tern"), { answer: "approve" });
    const { state, outputs } = await runEnd(app, runId);
    expect(state).toBe("DONE");
    expect(outputs.out).toMatchObject([
      { outcome: "approved", answers: { pier: "A" } },
      { outcome: "refused", reason: "Full." },
      { outcome: "approved", answers: { pier: null } },
    ]);
  });

  it("S-112: of a hundred answers at once one counts, and the others hear who was first and with what", async () => {
    const { runId, item } = await started();
    const bodies = Array.from({ length: 100 }, (_, index) =>
      index % 3 === 0
        ? { answer: "refuse", reason: `No ${index}.` }
        : { answer: "approve", values: { paid: 1 + (index % 100) / 2 } },
    );
    const answers = await Promise.all(bodies.map((body) => answer(app, item, body)));
    const counted = answers.filter(({ status }) => status === 200);
    expect(counted).toHaveLength(1);
    const first = counted[0]?.body.item.answer;
    for (const { status, body } of answers.filter((one) => one.status !== 200)) {
      expect([status, body.error.code]).toEqual([409, "already_answered"]);
      expect(body.error.details.answer).toEqual(first);
      expect(body.error.message).toMatch(/^Kim Test was first and has (approved|refused) this\.$/);
    }
    const { outputs } = await runEnd(app, runId);
    expect(outputs.came.outcome).toBe(first.answer === "refuse" ? "refused" : "approved");
    expect(outputs.came.answers).toEqual(first.values ?? {});
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  });

  it("takes the same answer of the same person twice", async () => {
    const { item } = await started();
    const body = { answer: "approve", values: { paid: 5 } };
    expect((await answer(app, item, body)).status).toBe(200);
    expect((await answer(app, item, body)).status).toBe(200);
    expect((await answer(app, item, { ...body, values: { paid: 6 } })).status).toBe(409);
  });

  it("S-114: withdraws what it asks when it is killed, or when another node of it fails", async () => {
    const killed = await started();
    await app.call("kim", "POST", "/kill_pipeline", { run_id: killed.runId, user_id: "user_kim" });
    const late = await answer(app, killed.item, { answer: "approve", values: { paid: 5 } });
    expect([late.status, late.body.error.code]).toEqual([409, "approval_withdrawn"]);
    await addFlow(
      app,
      "flow_fails",
      `
  ask: { type: approval, question: "Really?" }
  wait: { type: delay, seconds: 0.2 }
  bad: { type: each, items: none, do: { type: template, text: x }, after: [wait] }
`,
    );
    const failing = await started("flow_fails");
    expect((await runEnd(app, failing.runId)).state).toBe("FAILED");
    const { body } = await app.call("kim", "GET", `/inbox/${failing.item.id}`);
    expect(body.item).toMatchObject({ state: "withdrawn", may_answer: false });
  });

  it("fails at a default that its own bounds refuse, naming the field", async () => {
    const runId = await startFlow(app, "flow_pay", { inputs: { amount: 1_000 } });
    const end = await runEnd(app, runId);
    expect(end.state).toBe("FAILED");
    expect(end.log).toContain('[ask] failed: the default of the field "paid" must be at most 100');
  });
});

describe("S-113: an answer that does not fit the form", () => {
  let item: InboxItem;
  beforeAll(async () => {
    item = (await started()).item;
  });

  it.each([
    [{ answer: "approve" }, "values.paid", "values.paid is required."],
    [{ answer: "approve", values: { paid: 101 } }, "values.paid", "values.paid must be at most 100."],
    [{ answer: "approve", values: { paid: "5" } }, "values.paid", "values.paid must be a number."],
    [{ answer: "approve", values: { paid: 5, account: "east" } }, "values.account", null],
    [{ answer: "approve", values: { paid: 5, day: "2026-02-30" } }, "values.day", null],
    [{ answer: "approve", values: { paid: 5, day: "2025-12-31" } }, "values.day", null],
    [{ answer: "approve", values: { paid: 5, urgent: "yes" } }, "values.urgent", null],
    [{ answer: "approve", values: { paid: 5, note: "x".repeat(21) } }, "values.note", null],
    [{ answer: "approve", values: { paid: 5, tip: 1 } }, "values.tip", "values.tip is not asked for."],
    [{ answer: "approve", values: [5] }, "values", null],
    [{ answer: "refuse", values: { paid: 5 } }, "values", "values belongs to approve alone."],
    [{ answer: "approve_edited", arguments_text: "{}" }, "answer", null],
    [{ answer: "approve", values: { paid: 5 }, arguments_text: "{}" }, "arguments_text", null],
  ])("refuses %j, names %s, and goes on waiting", async (body, param, message) => {
    const refused = await answer(app, item, body);
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
      400,
      "invalid_body",
      param,
    ]);
    if (message !== null) expect(refused.body.error.message).toBe(message);
    expect((await app.call("kim", "GET", `/inbox/${item.id}`)).body.item.state).toBe("waiting");
  });
});

describe("S-65: whom a flow asks", () => {
  const seen = async (id: string) => {
    const keys = ["kim", "lee", "red", "blue"] as const;
    const found = await Promise.all(keys.map((key) => app.call(key, "GET", `/inbox/${id}`)));
    return found.map(({ status, body }) => (status === 200 ? body.item.may_answer : status));
  };

  it("is who started the run, its team's operators, or people whom the flow names", async () => {
    await addFlow(app, "flow_person", `\n  ask: { type: approval, question: "Go?" }\n`, "team_red");
    await addFlow(
      app,
      "flow_team",
      `\n  ask: { type: approval, question: "Go?", who: operators }\n`,
      "team_red",
    );
    await addFlow(
      app,
      "flow_named",
      `\n  ask: { type: approval, question: "Go?", who: people, people: [user_lee, user_stranger] }\n`,
      "team_red",
    );
    const query = "user_id=user_kim&project_id=team_red";
    const ids: string[] = [];
    for (const flow of ["flow_person", "flow_team", "flow_named"]) {
      ids.push((await askedOnceByRun(app, await startFlow(app, flow, { query }))).id);
    }
    expect(await seen(ids[0] ?? "")).toEqual([true, false, false, 404]);
    expect(await seen(ids[1] ?? "")).toEqual([true, true, false, 404]);
    expect(await seen(ids[2] ?? "")).toEqual([false, true, false, 404]);
    const ofNobody = await startFlow(app, "flow_person", { key: "red", query: "project_id=team_red" });
    const item = await askedOnceByRun(app, ofNobody, "lee");
    expect(item).toMatchObject({ started_by: null, who: { rule: "operators" }, may_answer: true });
  });

  it("sees the question of a person's own run and not the run, where the flow names somebody", async () => {
    await addFlow(
      app,
      "flow_lee",
      `\n  ask: { type: approval, question: "Go?", who: people, people: [user_lee] }\n`,
    );
    const runId = await startFlow(app, "flow_lee");
    const item = await askedOnceByRun(app, runId, "lee");
    expect(await seen(item.id)).toEqual([false, true, 404, 404]);
    expect(item.run).toMatchObject({ run_id: runId, readable: false });
    expect(item.run).not.toHaveProperty("inputs");
    expect((await app.call("lee", "GET", `/runs/${runId}`)).status).toBe(404);
    expect((await app.call("lee", "GET", "/inbox?mine=true")).body.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: item.id })]),
    );
    expect((await answer(app, item, { answer: "approve" }, "lee")).status).toBe(200);
    expect((await runEnd(app, runId)).state).toBe("DONE");
  });
});
