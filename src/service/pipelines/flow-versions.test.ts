import { afterAll, beforeAll, expect, test } from "vitest";
import { freshStore } from "../../testing/database.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { migrate } from "../store/migrate.ts";
import { migrations } from "../store/migrations/index.ts";

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness();
});
afterAll(() => harness.stop());

const flow = (answer: string) => `
id: flow_versions
name: Versions
owner: user_ada
nodes:
  wait: { type: delay, seconds: 0.2 }
  out: { type: output, value: ${answer}, after: [wait] }
`;

async function inputOf(runId: string): Promise<{ version?: string }> {
  const { rows } = await harness.store.pool.query("select input from executions where id = $1", [runId]);
  return rows[0]?.input;
}

test("a flow is kept once for all runs of one version, and each run goes by the version that it started with", async () => {
  await harness.add(flow("before"));
  const first = await harness.start("flow_versions");
  const second = await harness.start("flow_versions");
  await harness.add(flow("after"));
  const third = await harness.start("flow_versions");
  await harness.add(flow("before"));
  const fourth = await harness.start("flow_versions");
  const outputs = [];
  for (const id of [first, second, third, fourth]) outputs.push((await harness.end(id)).outputs);
  expect(outputs).toEqual([{ out: "before" }, { out: "before" }, { out: "after" }, { out: "before" }]);
  const versions = [];
  for (const id of [first, second, third, fourth]) {
    const input = await inputOf(id);
    expect(input).toEqual({ name: "Versions", version: expect.any(String), inputs: {} });
    versions.push(input.version);
  }
  expect(versions).toEqual([versions[0], versions[0], versions[2], versions[0]]);
  const { rows } = await harness.store.pool.query("select hash from flow_versions");
  expect(rows.map((row) => row.hash).sort()).toEqual([...new Set(versions)].sort());
});

test("a run of before, which has its flow itself, goes on", async () => {
  const nodes = [{ id: "out", node: { type: "output", value: "still here" } }];
  const input = { name: "Old", definition: { nodes }, inputs: {}, body: "" };
  const run = {
    id: "run_of_before",
    kind: "pipeline",
    subjectId: "flow_old",
    userId: "user_ada",
    teamId: null,
  };
  await harness.engine.start(harness.store.db, { ...run, input });
  expect(await harness.end("run_of_before")).toMatchObject({ outputs: { out: "still here" } });
});

test("flows of a database of before have their versions after it was brought up to date", async () => {
  const old = await freshStore();
  const { pool } = old.store;
  await pool.query("drop schema public cascade; create schema public");
  await migrate(
    pool,
    migrations.filter(({ name }) => name < "0021"),
  );
  await pool.query(
    `insert into users (id, email, first_name, last_name, plan) values ('user_a', 'a@example.org', 'A', 'A', 'pro')`,
  );
  await pool.query(
    `insert into saved_items (id, user_id, name, definition)
     values ('one', 'user_a', 'One', '{"nodes":[]}'), ('two', 'user_a', 'Two', '{"nodes":[]}'), ('more', 'user_a', 'More', '{"nodes": []}')`,
  );
  await migrate(pool);
  const { rows } = await pool.query(
    "select id, flow_versions.definition::text from saved_items left join flow_versions on hash = version order by id",
  );
  expect(rows).toEqual([
    { id: "more", definition: '{"nodes": []}' },
    { id: "one", definition: '{"nodes":[]}' },
    { id: "two", definition: '{"nodes":[]}' },
  ]);
  expect((await pool.query("select from flow_versions")).rowCount).toBe(2);
  await old.drop();
});
