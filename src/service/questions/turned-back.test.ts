import { afterAll, beforeAll, expect, it } from "vitest";
import { answerCall } from "../../testing/answer-call.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { hasBlockedQueries } from "../../testing/held-row.ts";
import { until } from "../../testing/until.ts";
import { lockKeys } from "../store/lock-keys.ts";

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness();
  await harness.add(
    "{ id: flow_waits, name: Waits, owner: user_ada, nodes: { wait: { type: delay, seconds: 3600 } } }",
    '{ id: flow_asks, name: Asks, owner: user_ada, nodes: { ask: { type: approval, question: "Go?" } } }',
  );
});
afterAll(() => harness.stop());

const given = {
  answer: "approve",
  userId: "user_ada",
  editedText: null,
  values: null,
  reason: null,
} as const;
const asked = (run: string) =>
  harness.store.pool.query<{ id: string; execution_id: string }>(
    "select id, execution_id from approvals where execution_id = $1",
    [run],
  );
const followed = () =>
  until("the clock was followed", async () => {
    const { rows } = await harness.store.pool.query<{ ok: boolean }>(
      "select seen < now() + interval '1 day' as ok from database_time",
    );
    return rows[0]?.ok === true;
  });
const isWaiting = async (run: string) => (await harness.steps(run)).some(({ state }) => state === "waiting");

it("S-367: what is asked while the clock is found to be turned back can be answered for as long as its run waits", async () => {
  const { pool } = harness.store;
  const waits = await harness.start("flow_waits");
  await until("it waits", () => isWaiting(waits));
  const other = await pool.connect();
  await other.query("begin");
  await other.query("select from steps where execution_id = $1 for update", [waits]);
  // The sweep is in the middle of what it does about it.
  await pool.query("update database_time set seen = now() + interval '8 days'");
  await until("the sweep waits for the step", () => hasBlockedQueries({ pool }));
  const asks = await harness.start("flow_asks");
  await until("it asks", async () => (await asked(asks)).rowCount === 1);
  await other.query("commit");
  other.release();
  await followed();
  const [question] = (await asked(asks)).rows;
  if (question === undefined) throw new Error("there is no question");
  expect(await answerCall(harness.store, question, given)).toBe(true);
  expect((await harness.end(asks)).execution.state).toBe("done");
});

it("S-370: what is asked, or begins to wait, after the clock was turned back and before that is found waits no less long", async () => {
  const { pool } = harness.store;
  // Another process sweeps, and takes its time.
  const other = await pool.connect();
  await other.query("select pg_advisory_lock($1)", [lockKeys.sweep]);
  await pool.query("update database_time set seen = now() + interval '8 days'");
  const [waits, asks] = [await harness.start("flow_waits"), await harness.start("flow_asks")];
  for (const run of [waits, asks]) await until("it waits", () => isWaiting(run));
  await other.query("select pg_advisory_unlock($1)", [lockKeys.sweep]);
  other.release();
  await followed();
  const { rows } = await pool.query<{ ok: boolean }>(
    "select wake_at > created_at + interval '59 min' as ok from steps where execution_id = $1 and wake_at is not null",
    [waits],
  );
  expect(rows).toEqual([{ ok: true }]);
  const [question] = (await asked(asks)).rows;
  if (question === undefined) throw new Error("there is no question");
  expect(await answerCall(harness.store, question, given)).toBe(true);
  expect((await harness.end(asks)).execution.state).toBe("done");
});
