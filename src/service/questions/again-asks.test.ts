import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { answer } from "../../testing/approvals.ts";
import { addFlow, askedByRun, askedOnceByRun, runEnd, startFlow } from "../../testing/asking-flows.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  await addFlow(app, "flow_asks", `\n  ask: { type: approval, question: "Go on?" }\n`);
  await addFlow(
    app,
    "flow_pays",
    `
  to: { type: input, default: ann }
  note: { type: input, default: none }
  ask: { type: approval, question: "Pay?" }
  account: { type: template, text: "account of {{ to.value }}", after: [ask] }
  paid: { type: template, text: "paid to {{ account.value }}" }
  said: { type: template, text: "{{ note.value }}" }
  out: { type: output, value: "{{ paid.value }}" }
`,
  );
  await addFlow(
    app,
    "flow_starts",
    `
  to: { type: input, default: ann }
  sub: { type: flow, flow: flow_asks }
  paid: { type: template, text: "paid to {{ to.value }}", after: [sub] }
  out: { type: output, value: "{{ paid.value }}" }
`,
  );
  await addFlow(
    app,
    "flow_above",
    `
  ask: { type: approval, question: "Pay?" }
  pay: { type: flow, flow: flow_pay, inputs: { to: ann }, after: [ask] }
  out: { type: output, value: "{{ pay.value.out }}" }
`,
  );
  await addFlow(
    app,
    "flow_pay",
    `
  to: { type: input }
  paid: { type: template, text: "paid to {{ to.value }}" }
  out: { type: output, value: "{{ paid.value }}" }
`,
  );
});
afterAll(() => app.stop());

/** Puts other nodes into a flow, as a loader does whose file has changed. */
async function changeFlow(id: string, nodes: string): Promise<void> {
  const { db } = app.context.store;
  await addFlow(app, `${id}_next`, nodes);
  const { definition } = await db
    .selectFrom("saved_items")
    .select("definition")
    .where("id", "=", `${id}_next`)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("saved_items")
    .set({ definition: toJson(definition) })
    .where("id", "=", id)
    .execute();
}

/** Runs a flow of which the one question is approved. @returns the run's id */
async function approved(flow: string): Promise<string> {
  const runId = await startFlow(app, flow);
  const { db } = app.context.store;
  let asks = "";
  await until("it asks, or what it starts does", async () => {
    const row = await db
      .selectFrom("approvals")
      .innerJoin("executions", "executions.id", "approvals.run_id")
      .select("executions.id")
      .where("executions.root_id", "=", runId)
      .executeTakeFirst();
    asks = row?.id ?? "";
    return row !== undefined;
  });
  await answer(app, await askedOnceByRun(app, asks), { answer: "approve" });
  expect((await runEnd(app, runId)).state).toBe("DONE");
  return runId;
}

const previewOf = async (runId: string, body: object) =>
  (await app.call("kim", "POST", `/runs/${runId}/again/preview`, body)).body;

interface Shown {
  readonly runs: readonly { readonly nodes: readonly { readonly id: string; readonly state: string }[] }[];
}
const statesOf = ({ runs }: Shown) =>
  runs.map(({ nodes }) => Object.fromEntries(nodes.map(({ id, state }) => [id, state])));

describe("what people agreed to, when a run goes again", () => {
  it("holds where all behind it is as it was when they were asked", async () => {
    const runId = await approved("flow_pays");
    expect(statesOf(await previewOf(runId, { inputs: { note: "thanks" } }))).toMatchObject([
      { ask: "reused", paid: "reused", said: "again" },
    ]);
    expect(statesOf(await previewOf(runId, { from: { node: "paid" } }))).toMatchObject([
      { ask: "reused", account: "reused", paid: "again" },
    ]);
  });

  it("S-302: does not hold for another input or an output by hand: they are asked again", async () => {
    const runId = await approved("flow_pays");
    const body = { inputs: { to: "bob" } };
    const shown = await previewOf(runId, body);
    expect(statesOf(shown)).toMatchObject([
      { ask: "again", account: "again", paid: "again", said: "reused" },
    ]);
    const byHand = { from: { node: "account" }, output: { value: "account of bob" } };
    expect(statesOf(await previewOf(runId, byHand))).toMatchObject([
      { ask: "again", account: "given", paid: "again" },
    ]);
    const started = await app.call("kim", "POST", `/runs/${runId}/again`, {
      ...body,
      preview: shown.preview,
    });
    const again = String(started.body.run_id);
    await answer(app, await askedOnceByRun(app, again), { answer: "approve" });
    expect((await runEnd(app, again)).outputs).toEqual({ out: "paid to account of bob" });
  });

  it("S-302: does not hold for the other items of a list where a step behind it gets another input", async () => {
    await addFlow(
      app,
      "flow_pays_all",
      `
  to: { type: input, default: ann }
  ask: { type: each, items: [1, 2], do: { type: approval, question: "Pay {{ item }}?" } }
  paid: { type: template, text: "{{ ask.count }} paid to {{ to.value }}", after: [ask] }
`,
    );
    const runId = await startFlow(app, "flow_pays_all");
    for (const item of await askedByRun(app, runId, { count: 2 }))
      await answer(app, item, { answer: "approve" });
    expect((await runEnd(app, runId)).state).toBe("DONE");
    const from = { node: "ask", item: 0 };
    expect(await previewOf(runId, { from })).toMatchObject({ refusals: [] });
    expect((await previewOf(runId, { from, inputs: { to: "bob" } })).refusals).toEqual([
      {
        param: "from.item",
        message:
          'What people agreed to in "ask" does not hold for other values behind it, so none of its items can be reused: choose the whole step.',
      },
    ]);
    const whole = await previewOf(runId, { from: { node: "ask" }, inputs: { to: "bob" } });
    expect(statesOf(whole)).toMatchObject([{ ask: "again", paid: "again" }]);
  });

  it("S-302: is asked again also in a flow that a step starts, and takes no output in its place", async () => {
    const runId = await approved("flow_starts");
    expect(statesOf(await previewOf(runId, { inputs: { to: "bob" } }))).toMatchObject([
      { sub: "again", paid: "again" },
    ]);
    expect((await previewOf(runId, { from: { node: "sub" }, output: { value: {} } })).refusals).toEqual([
      {
        param: "output",
        message: '"sub" asks people, and nobody answers in their place: let them be asked again.',
      },
    ]);
  });

  it("S-302: does not hold above a run that goes again with another input", async () => {
    const runId = await approved("flow_above");
    const { id } = await app.context.store.db
      .selectFrom("executions")
      .select("id")
      .where("parent_id", "=", runId)
      .executeTakeFirstOrThrow();
    expect(statesOf(await previewOf(id, { from: { node: "paid" } }))[0]).toMatchObject({ ask: "reused" });
    expect(statesOf(await previewOf(id, { inputs: { to: "bob" } }))[0]).toMatchObject({
      ask: "again",
      pay: "again",
    });
  });

  it("S-302: does not hold in a run that goes again with another input that a step above reads", async () => {
    const asks = `
  to: { type: input }
  ask: { type: approval, question: "Go on?" }
  out: { type: output, value: "{{ to.value }}" }
`;
    await addFlow(app, "flow_names", asks);
    const starts = "  sub: { type: flow, flow: flow_names, inputs: { to: ann } }\n";
    await addFlow(app, "flow_leaves", `\n${starts}`);
    await addFlow(
      app,
      "flow_reads",
      `\n${starts}  paid: { type: template, text: "paid to {{ sub.value.out }}" }\n`,
    );
    const shown = async (flow: string) => {
      const { id } = await app.context.store.db
        .selectFrom("executions")
        .select("id")
        .where("parent_id", "=", await approved(flow))
        .executeTakeFirstOrThrow();
      return statesOf(await previewOf(id, { inputs: { to: "bob" } }));
    };
    expect(await shown("flow_reads")).toMatchObject([{ paid: "again" }, { ask: "again", out: "again" }]);
    expect(await shown("flow_leaves")).toMatchObject([{ sub: "again" }, { ask: "reused", out: "again" }]);
  });

  it("S-302: does not hold where the chosen step behind it has changed since", async () => {
    const nodes = (text: string) => `
  ask: { type: approval, question: "Pay ann?" }
  paid: { type: template, text: "${text}", after: [ask] }
  out: { type: output, value: "{{ paid.value }}" }
`;
    await addFlow(app, "flow_rewritten", nodes("paid to ann"));
    const runId = await approved("flow_rewritten");
    const body = { from: { node: "paid" } };
    await changeFlow("flow_rewritten", nodes("paid to bob"));
    expect(statesOf(await previewOf(runId, body))).toMatchObject([{ ask: "reused", paid: "again" }]);
    expect(statesOf(await previewOf(runId, { ...body, flow: "current" }))).toMatchObject([
      { ask: "again", paid: "again" },
    ]);
  });

  it("S-302: does not hold either where the flow that asked does not ask any more, or is gone", async () => {
    const sub = async (id: string) => {
      await addFlow(app, `${id}_asks`, `\n  ask: { type: approval, question: "Go on?" }\n`);
      await addFlow(app, `${id}_between`, `\n  inner: { type: flow, flow: ${id}_asks }\n`);
      await addFlow(
        app,
        id,
        `
  to: { type: input, default: ann }
  sub: { type: flow, flow: ${id}_between }
  paid: { type: template, text: "paid to {{ to.value }}", after: [sub] }
  out: { type: output, value: "{{ paid.value }}" }
`,
      );
      return await approved(id);
    };
    const softened = await sub("flow_softened");
    await changeFlow("flow_softened_asks", `\n  said: { type: template, text: "Go on." }\n`);
    const gone = await sub("flow_gone");
    const removed = { removed_at: new Date() };
    await app.context.store.db
      .updateTable("saved_items")
      .set(removed)
      .where("id", "=", "flow_gone_between")
      .execute();
    for (const runId of [softened, gone])
      expect(statesOf(await previewOf(runId, { inputs: { to: "bob" } }))).toMatchObject([
        { sub: "again", paid: "again" },
      ]);
  });

  it("S-302: does not hold where a flow that is started anew behind it has changed since", async () => {
    await addFlow(app, "flow_till", `\n  out: { type: output, value: "paid to ann" }\n`);
    await addFlow(app, "flow_desk", `\n  till: { type: flow, flow: flow_till }\n`);
    await addFlow(
      app,
      "flow_orders",
      `
  ask: { type: approval, question: "Pay ann?" }
  desk: { type: flow, flow: flow_desk, after: [ask] }
`,
    );
    const runId = await approved("flow_orders");
    const body = { from: { node: "desk" } };
    expect(statesOf(await previewOf(runId, body))).toMatchObject([{ ask: "reused", desk: "again" }]);
    await changeFlow("flow_till", `\n  out: { type: output, value: "paid to bob" }\n`);
    expect(statesOf(await previewOf(runId, body))).toMatchObject([{ ask: "again", desk: "again" }]);
  });
});
