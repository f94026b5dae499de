import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { answer } from "../../testing/approvals.ts";
import { addFlow, askedByRun, runEnd, startFlow } from "../../testing/asking-flows.ts";
import { until } from "../../testing/until.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ concurrency: 2 });
  await addFlow(
    app,
    "flow_ask",
    `
  ask: { type: approval, question: "May it go on?" }
  out: { type: output, value: "{{ ask.outcome }}" }
`,
  );
  await addFlow(
    app,
    "flow_middle",
    `
  all: { type: each, items: [1, 2], do: { type: flow, flow: flow_ask } }
  out: { type: output, value: "{{ all.count }}" }
`,
  );
  await addFlow(
    app,
    "flow_top",
    `
  sub: { type: flow, flow: flow_middle, timeout_s: 600 }
  out: { type: output, value: "{{ sub.value.out }}" }
`,
  );
  await addFlow(app, "flow_delay", "\n  wait: { type: delay, seconds: 600 }\n");
  await addFlow(
    app,
    "flow_besides",
    `
  sub: { type: flow, flow: flow_ask }
  wait: { type: flow, flow: flow_delay }
  out: { type: output, value: "{{ sub.value.out }}" }
`,
  );
  // Two of Kim's may go at the same time.
  await app.context.store.pool.query(
    "insert into running_limits (limit_key, running) values ('user:user_kim', 2)",
  );
});
afterAll(() => app.stop());

const placesTaken = async (): Promise<number> => {
  const { rows } = await app.context.store.pool.query<{ n: number }>(
    "select places_taken('user:user_kim')::int as n",
  );
  return rows[0]?.n ?? -1;
};

/** The questions of all runs below this one. */
async function askedBelow(id: string, count: number) {
  const { db } = app.context.store;
  const below = async () =>
    await db
      .selectFrom("executions")
      .innerJoin("approvals", "approvals.execution_id", "executions.id")
      .select(["approvals.id", "executions.id as run_id"])
      .where("executions.root_id", "=", id)
      .where("executions.state", "=", "waiting")
      .where("approvals.state", "=", "waiting")
      .execute();
  await until(`${id} to ask ${count} times`, async () => (await below()).length === count);
  return await below();
}

describe("A run whose sub-runs ask people", () => {
  it("S-224: holds no place of its team while all that is below it waits for them, at any depth", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => startFlow(app, "flow_top")));
    // Only two could begin, did those that wait keep their places.
    const asked = await Promise.all(ids.map((id) => askedBelow(id, 2)));
    await until("no place is taken", async () => (await placesTaken()) === 0);
    for (const { id } of asked.flat()) {
      expect((await answer(app, { id }, { answer: "approve" })).status).toBe(200);
    }
    for (const id of ids) expect((await runEnd(app, id)).outputs).toEqual({ out: 2 });
  });

  it("S-224: keeps its place while something of it waits for anything else", async () => {
    const id = await startFlow(app, "flow_besides");
    await askedBelow(id, 1);
    const { db } = app.context.store;
    await until("all of it waits", async () => {
      const rows = await db.selectFrom("executions").select("state").where("root_id", "=", id).execute();
      return rows.length === 3 && rows.every(({ state }) => state === "waiting");
    });
    expect(await placesTaken()).toBe(1);
    await app.context.engine.kill(id);
    expect((await runEnd(app, id)).state).toBe("TERMINATED");
    expect(await placesTaken()).toBe(0);
  });

  it("S-224: and so does a turn whose tool started it", async () => {
    const started = await app.start('/run_flow {"saved_item_id": "flow_top"}', {
      gummie_id: "agent_offline",
    });
    const id: string = started.body.interaction_id;
    const turn = await app.context.store.db
      .selectFrom("interactions")
      .select("execution_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const asked = await askedBelow(turn.execution_id, 2);
    await until("no place is taken", async () => (await placesTaken()) === 0);
    for (const one of asked) await answer(app, one, { answer: "approve" });
    expect((await app.settled(id)).state).toBe("COMPLETED");
    expect(await askedByRun(app, asked[0]?.run_id ?? "", { count: 0 })).toEqual([]);
  });
});
