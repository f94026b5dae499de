import { afterAll, beforeAll, expect, it } from "vitest";
import { answerCall } from "../../testing/answer-call.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { hasBlockedQueries } from "../../testing/held-row.ts";
import { until } from "../../testing/until.ts";

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness();
  await harness.add(
    "{ id: flow_waits, name: Waits, owner: user_ada, nodes: { wait: { type: delay, seconds: 3600 } } }",
    '{ id: flow_asks, name: Asks, owner: user_ada, nodes: { ask: { type: approval, question: "Go?" } } }',
  );
});
afterAll(() => harness.stop());

it("S-367: what is asked while the clock is found to be turned back can be answered for as long as its run waits", async () => {
  const { pool } = harness.store;
  const waits = await harness.start("flow_waits");
  await until("it waits", async () => (await harness.steps(waits)).some(({ state }) => state === "waiting"));
  const other = await pool.connect();
  await other.query("begin");
  await other.query("select from steps where execution_id = $1 for update", [waits]);
  // The sweep is in the middle of what it does about it.
  await pool.query("update database_time set seen = now() + interval '8 days'");
  await until("the sweep waits for the step", () => hasBlockedQueries({ pool }));
  const asks = await harness.start("flow_asks");
  const asked = () =>
    pool.query<{ id: string; execution_id: string }>(
      "select id, execution_id from approvals where execution_id = $1",
      [asks],
    );
  await until("it asks", async () => (await asked()).rowCount === 1);
  await other.query("commit");
  other.release();
  await until("the clock was followed", async () => {
    const { rows } = await pool.query<{ ok: boolean }>(
      "select seen < now() + interval '1 day' as ok from database_time",
    );
    return rows[0]?.ok === true;
  });
  const [question] = (await asked()).rows;
  if (question === undefined) throw new Error("there is no question");
  const given = {
    answer: "approve",
    userId: "user_ada",
    editedText: null,
    values: null,
    reason: null,
  } as const;
  expect(await answerCall(harness.store, question, given)).toBe(true);
  expect((await harness.end(asks)).execution.state).toBe("done");
});
