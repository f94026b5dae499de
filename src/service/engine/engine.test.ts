import { sql } from "kysely";
import { expect, test } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { listChildren, listTree, readLog, readSteps } from "../../testing/executions.ts";
import { nested, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Journal, Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";
import { endWaitingStep } from "./wake.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
const tests = engineTests();
/** Starts something of a kind that looks at its input itself. */
const begin = (id: string, kind = "test") => ({ ...startOf(id, []), kind });

test("what is started ends with its result, its steps and its log in order", async () => {
  const engine = await tests.working({ scripted: scriptedKind() });
  await engine.start(
    tests.fresh.store.db,
    startOf("plain", [{ do: "effect" }, { do: "wait", ms: 20 }, { do: "effect" }]),
  );
  const end = await ended(tests.fresh.store, "plain");
  expect(end).toMatchObject({ state: "done", result: 3, error: null, userId: "user_ada", depth: 0 });
  expect(await readLog(tests.fresh.store.db, "plain")).toEqual(["step 0", "step 2", "done"]);
  expect((await readSteps(tests.fresh.store.db, "plain")).map((step) => step.state)).toEqual([
    "done",
    "done",
    "done",
  ]);
});

test("a step that waited ends once: what it has ended with stays", async () => {
  const { db } = tests.fresh.store;
  const engine = await tests.working({ scripted: scriptedKind() });
  const hour = { do: "wait", ms: 3_600_000 } as const;
  await engine.start(db, startOf("ends-once", [hour, hour]));
  const waitsFor = (count: number) =>
    until("it waits", async () => (await readSteps(db, "ends-once")).length === count);
  const end = (output: JsonValue) =>
    db.transaction().execute((tx) => endWaitingStep(tx, "ends-once", "0", { state: "done", output }));
  await waitsFor(1);
  await end("the first");
  await waitsFor(2);
  await end("the second");
  expect((await readSteps(db, "ends-once"))[0]).toMatchObject({ state: "done", output: "the first" });
  await engine.kill("ends-once");
});

test("lines of one write are in the log in order, however many there are, and no line is two", async () => {
  const lines = Array.from({ length: 1_200 }, (_, index) => `line ${index + 1}`);
  const talks: Kind = {
    hasPlace: false,
    async advance(_, journal) {
      await journal.log(["", ...lines.slice(1, 600)]);
      await journal.log(lines.slice(600));
      return { type: "failed", error: "one\ntwo", log: ["failed: one\r\ntwo"] };
    },
  };
  const { db } = tests.fresh.store;
  const engine = await tests.working({ test: talks });
  await engine.start(db, begin("talks"));
  expect(await ended(tests.fresh.store, "talks")).toMatchObject({ state: "failed", logCount: 1_201 });
  expect(await readLog(db, "talks")).toEqual(["", ...lines.slice(1), "failed: one two"]);
});

test("a start in a transaction that is rolled back never happens, and a second one with the same id changes nothing", async () => {
  const engine = await tests.working({ scripted: scriptedKind() });
  const gone = tests.fresh.store.db.transaction().execute(async (tx) => {
    await engine.start(tx, startOf("gone", [{ do: "effect" }]));
    throw new Error("rolled back");
  });
  await expect(gone).rejects.toThrow("rolled back");
  await engine.start(tests.fresh.store.db, startOf("same", [{ do: "effect" }]));
  await engine.start(tests.fresh.store.db, startOf("same", [{ do: "fail" }]));
  expect(await ended(tests.fresh.store, "same")).toMatchObject({ state: "done" });
  expect(await readExecution(tests.fresh.store.db, "gone")).toBeUndefined();
});

test("with one place, twelve trees of sub-runs that all wait still end", async () => {
  const engine = await tests.working({ scripted: scriptedKind() }, 1);
  const ids = Array.from({ length: 12 }, (_, index) => `nest${index}`);
  for (const id of ids) await engine.start(tests.fresh.store.db, startOf(id, nested(2, 50)));
  for (const id of ids) expect(await ended(tests.fresh.store, id, 60_000)).toMatchObject({ state: "done" });
  expect((await listTree(tests.fresh.store.db, "nest0")).map((one) => [one.depth, one.state])).toEqual([
    [0, "done"],
    [1, "done"],
    [2, "done"],
  ]);
});

test("a timer wakes when its time has come, not before and not much later", async () => {
  const engine = await tests.working({ scripted: scriptedKind() }, 1);
  const timeOf = async (id: string, ms: number) => {
    const begun = performance.now();
    await engine.start(tests.fresh.store.db, startOf(id, [{ do: "wait", ms }]));
    await ended(tests.fresh.store, id);
    return performance.now() - begun - ms;
  };
  const late: number[] = [];
  // The same without a wait: what this machine takes for it.
  const atOnce: number[] = [];
  for (let round = 0; round < 5; round++) {
    atOnce.push(await timeOf(`at-once${round}`, 0));
    late.push(await timeOf(`timer${round}`, 100));
  }
  // A busy machine may be late at times, polling for what is due would be late at most times.
  expect(Math.min(...late)).toBeGreaterThan(-1);
  expect(Math.min(...late) - Math.min(...atOnce)).toBeLessThan(150);
});

test("a child that ends while its parent is about to wait is never missed", async () => {
  // The child is over before the parent's `advance` returns: the parent must look again.
  const kind: Kind = {
    async advance(execution, journal) {
      if (execution.depth === 1) return { type: "done", result: "child" };
      const step = journal.steps.get("child");
      if (step?.state === "done") return { type: "done", result: step.output };
      await journal.spawn("child", { ...begin(`${execution.id}/c`), kind: "race" });
      if (execution.id.endsWith("0")) await until("the child's end", () => isOver(`${execution.id}/c`));
      return { type: "waiting" };
    },
  };
  const engine = await tests.working({ race: kind });
  const ids = Array.from({ length: long ? 1_000 : 100 }, (_, index) => `race${index}`);
  await Promise.all(ids.map((id) => engine.start(tests.fresh.store.db, { ...begin(id), kind: "race" })));
  for (const id of ids)
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: "child" });
});

const isOver = async (id: string) => (await readExecution(tests.fresh.store.db, id))?.finishedAt != null;

test("one that is busy is told when something else that it waits for has ended", async () => {
  const kind: Kind = {
    async advance(_, journal) {
      await journal.wait("soon", 50);
      // Busy, until it hears of the timer; without that this would hang.
      while (journal.steps.get("soon")?.state === "waiting") await journal.woken();
      return { type: "done", result: "heard" };
    },
  };
  const engine = await tests.working({ test: kind });
  await engine.start(tests.fresh.store.db, begin("busy"));
  expect(await ended(tests.fresh.store, "busy")).toMatchObject({ state: "done", result: "heard" });
});

test("a failed sub-run fails its parent's step with a reason that names it", async () => {
  const engine = await tests.working({ scripted: scriptedKind() });
  await engine.start(tests.fresh.store.db, startOf("sad", [{ do: "children", scripts: [[{ do: "fail" }]] }]));
  expect(await ended(tests.fresh.store, "sad")).toMatchObject({
    state: "failed",
    error: "the sub-run sad/0.0 failed: the script says so",
  });
});

test("a run that fails takes its unfinished sub-runs with it", async () => {
  const engine = await tests.working({ scripted: scriptedKind() });
  const slow = nested(1, 60_000);
  await engine.start(
    tests.fresh.store.db,
    startOf("half", [{ do: "children", scripts: [slow, [{ do: "fail" }]] }]),
  );
  expect(await ended(tests.fresh.store, "half")).toMatchObject({ state: "failed" });
  const children = await listChildren(tests.fresh.store.db, "half");
  expect(children.map((child) => child.state).sort()).toEqual(["failed", "terminated"]);
});

test("rows that `ended` writes are there exactly when the execution is over, however it ended", async () => {
  const pool = tests.fresh.store.pool;
  await pool.query("create table ends (id text primary key, how text)");
  const kind: Kind = {
    ...scriptedKind(),
    async ended(tx, execution, end) {
      const row = { id: execution.id, how: end.type };
      await tx
        .insertInto("ends" as never)
        .values(row as never)
        .execute();
    },
  };
  const engine = await tests.working({ scripted: kind });
  await engine.start(tests.fresh.store.db, startOf("e-done", [{ do: "effect" }]));
  await engine.start(tests.fresh.store.db, startOf("e-failed", [{ do: "fail" }]));
  await engine.start(tests.fresh.store.db, startOf("e-killed", [{ do: "wait", ms: 60_000 }]));
  await ended(tests.fresh.store, "e-done");
  await ended(tests.fresh.store, "e-failed");
  await engine.kill("e-killed");
  const { rows } = await pool.query("select * from ends order by id");
  expect(rows).toEqual([
    { id: "e-done", how: "done" },
    { id: "e-failed", how: "failed" },
    { id: "e-killed", how: "terminated" },
  ]);
});

test("an error that a kind did not expect fails the run without telling the world its words", async () => {
  const engine = await tests.working({
    test: { advance: () => Promise.reject(new Error("secret words")) },
    idle: { advance: () => Promise.resolve({ type: "waiting" }) },
    // Like a lost database, but it is not ours.
    refused: { advance: () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" })) },
  });
  await engine.start(tests.fresh.store.db, begin("oops"));
  await engine.start(tests.fresh.store.db, begin("idle", "idle"));
  expect((await ended(tests.fresh.store, "oops")).error).toMatch(/^something went wrong inside the service/);
  expect((await ended(tests.fresh.store, "idle")).state).toBe("failed");
  await engine.start(tests.fresh.store.db, begin("refused", "refused"));
  expect((await ended(tests.fresh.store, "refused")).state).toBe("failed");
});

test("a step's own rows are written with the step or not at all", async () => {
  await tests.fresh.store.pool.query("create table effects (id text)");
  const write = (journal: Journal, key: string, fail: boolean) =>
    journal.record(
      key,
      { type: "done", output: null },
      {
        log: [key],
        within: async (tx) => {
          await tx
            .insertInto("effects" as never)
            .values({ id: key } as never)
            .execute();
          if (fail) throw new Error("rolled back");
        },
      },
    );
  const engine = await tests.working({
    test: {
      async advance(_, journal) {
        await write(journal, "good", false);
        await write(journal, "good", false);
        await write(journal, "bad", true);
        return { type: "done", result: null };
      },
    },
  });
  await engine.start(tests.fresh.store.db, begin("rows"));
  expect(await ended(tests.fresh.store, "rows")).toMatchObject({ state: "failed", logCount: 1 });
  expect((await tests.fresh.store.pool.query("select id from effects")).rows).toEqual([{ id: "good" }]);
  expect((await readSteps(tests.fresh.store.db, "rows")).map((step) => step.key)).toEqual(["good"]);
});

test("rows in the statement of a step are there once, and none of a step that is recorded already or not any more", async () => {
  const { pool, db } = tests.fresh.store;
  await pool.query("create table said (id text)");
  const write = (rows: readonly JsonValue[]) => sql`said as (
    insert into said select said.id from json_to_recordset(${toJson(rows)}::json) as said (execution_id text, id text)
      join recorded on recorded.execution_id = said.execution_id)`;
  const said = (id: string) => ({ rows: [{ write, row: { id } }] });
  const done = { type: "done", output: null } as const;
  const engine = await tests.working({
    test: {
      async advance({ id }, journal) {
        await journal.record("early", done, { isRepeatable: true });
        await journal.record("step", done, said("once"));
        // As where the answer to a write was lost, and it had got through.
        await pool.query(
          "insert into steps (execution_id, key, state, finished_at) values ($1, 'lost', 'done', now())",
          [id],
        );
        await journal.record("lost", done, said("twice"));
        await journal.wait("wait", 60_000, said("waits"));
        await pool.query("update executions set epoch = epoch + 1 where id = $1", [id]);
        await journal.record("late", done, said("zombie"));
        return { type: "done", result: null };
      },
    },
  });
  await engine.start(db, begin("rows-together"));
  await until("it has lost its hold", async () => {
    const { rows } = await pool.query("select from executions where id = 'rows-together' and epoch > 1");
    return rows.length > 0;
  });
  await engine.stop({ graceMs: 5_000 });
  expect((await pool.query("select id from said order by id")).rows).toEqual([
    { id: "once" },
    { id: "waits" },
  ]);
  await pool.query("delete from executions where id = 'rows-together'");
});
