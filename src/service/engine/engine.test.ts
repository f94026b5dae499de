import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { brokenInvariants, ended, testEngine } from "../../testing/engine.ts";
import { nested, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import type { Engine } from "./engine.ts";
import { LimitError } from "./engine-error.ts";
import type { Journal, Kind } from "./kind.ts";
import { listChildren, listTree, readExecution, readLog, readSteps } from "./queries.ts";
import { sweep } from "./sweep.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
let fresh: FreshStore;
const engines: Engine[] = [];
beforeAll(async () => {
  fresh = await freshStore();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop({ graceMs: 1_000 })));
  expect(await brokenInvariants(fresh.store)).toEqual([]);
});
afterAll(() => fresh.drop());

async function working(kinds: Record<string, Kind>, concurrency = 4): Promise<Engine> {
  const engine = testEngine(fresh.store, kinds, { concurrency });
  engines.push(engine);
  await engine.work();
  return engine;
}
const begin = (id: string, kind = "test", input: { [key: string]: number } = {}) => ({
  ...startOf(id, []),
  kind,
  input,
});

test("what is started ends with its result, its steps and its log in order", async () => {
  const engine = await working({ scripted: scriptedKind() });
  await engine.start(
    fresh.store.db,
    startOf("plain", [{ do: "effect" }, { do: "wait", ms: 20 }, { do: "effect" }]),
  );
  const end = await ended(fresh.store, "plain");
  expect(end).toMatchObject({ state: "done", result: 3, error: null, userId: "user_ada", depth: 0 });
  expect(await readLog(fresh.store.db, "plain")).toEqual(["step 0", "step 2", "done"]);
  expect(await readLog(fresh.store.db, "plain", { after: 1, limit: 1 })).toEqual(["step 2"]);
  expect((await readSteps(fresh.store.db, "plain")).map((step) => step.state)).toEqual([
    "done",
    "done",
    "done",
  ]);
});

test("a start in a transaction that is rolled back never happens, and a second one with the same id changes nothing", async () => {
  const engine = await working({ scripted: scriptedKind() });
  const gone = fresh.store.db.transaction().execute(async (tx) => {
    await engine.start(tx, startOf("gone", [{ do: "effect" }]));
    throw new Error("rolled back");
  });
  await expect(gone).rejects.toThrow("rolled back");
  await engine.start(fresh.store.db, startOf("same", [{ do: "effect" }]));
  await engine.start(fresh.store.db, startOf("same", [{ do: "fail" }]));
  expect(await ended(fresh.store, "same")).toMatchObject({ state: "done" });
  expect(await readExecution(fresh.store.db, "gone")).toBeUndefined();
});

test("with one place, twelve trees of sub-runs that all wait still end", async () => {
  const engine = await working({ scripted: scriptedKind() }, 1);
  const ids = Array.from({ length: 12 }, (_, index) => `nest${index}`);
  for (const id of ids) await engine.start(fresh.store.db, startOf(id, nested(2, 50)));
  for (const id of ids) expect(await ended(fresh.store, id)).toMatchObject({ state: "done" });
  expect((await listTree(fresh.store.db, "nest0")).map((one) => [one.depth, one.state])).toEqual([
    [0, "done"],
    [1, "done"],
    [2, "done"],
  ]);
});

test("a timer wakes when its time has come, not before and not much later", async () => {
  const engine = await working({ scripted: scriptedKind() }, 1);
  const late: number[] = [];
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    await engine.start(fresh.store.db, startOf(`timer${round}`, [{ do: "wait", ms: 100 }]));
    await ended(fresh.store, `timer${round}`);
    late.push(performance.now() - begun - 100);
  }
  // A busy machine may be late at times, polling for what is due would be late at most times.
  expect(Math.min(...late)).toBeGreaterThan(-1);
  expect(Math.min(...late)).toBeLessThan(150);
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
  const engine = await working({ race: kind });
  const ids = Array.from({ length: long ? 1_000 : 100 }, (_, index) => `race${index}`);
  await Promise.all(ids.map((id) => engine.start(fresh.store.db, { ...begin(id), kind: "race" })));
  for (const id of ids)
    expect(await ended(fresh.store, id)).toMatchObject({ state: "done", result: "child" });
});

const isOver = async (id: string) => (await readExecution(fresh.store.db, id))?.finishedAt != null;

test("one that is busy is told when something else that it waits for has ended", async () => {
  const kind: Kind = {
    async advance(_, journal) {
      await journal.waitUntil("soon", new Date(Date.now() + 50));
      // Busy, until it hears of the timer; without that this would hang.
      while (journal.steps.get("soon")?.state === "waiting") await journal.woken();
      return { type: "done", result: "heard" };
    },
  };
  const engine = await working({ test: kind });
  await engine.start(fresh.store.db, begin("busy"));
  expect(await ended(fresh.store, "busy")).toMatchObject({ state: "done", result: "heard" });
});

test("a failed sub-run fails its parent's step with a reason that names it", async () => {
  const engine = await working({ scripted: scriptedKind() });
  await engine.start(fresh.store.db, startOf("sad", [{ do: "children", scripts: [[{ do: "fail" }]] }]));
  expect(await ended(fresh.store, "sad")).toMatchObject({
    state: "failed",
    error: "the sub-run sad/0.0 failed: the script says so",
  });
});

test("a run that fails takes its unfinished sub-runs with it", async () => {
  const engine = await working({ scripted: scriptedKind() });
  const slow = nested(1, 60_000);
  await engine.start(
    fresh.store.db,
    startOf("half", [{ do: "children", scripts: [slow, [{ do: "fail" }]] }]),
  );
  expect(await ended(fresh.store, "half")).toMatchObject({ state: "failed" });
  const children = await listChildren(fresh.store.db, "half");
  expect(children.map((child) => child.state).sort()).toEqual(["failed", "terminated"]);
});

test("killing a run ends it and every sub-run, aborts what is in flight, and killing again changes nothing", async () => {
  const aborted: string[] = [];
  const kind: Kind = {
    async advance(execution, journal) {
      if (execution.depth < 3) {
        if (!journal.steps.has("child")) await journal.spawn("child", { ...begin(`${execution.id}+`) });
        return { type: "waiting" };
      }
      await new Promise<void>((resolve) => journal.signal.addEventListener("abort", () => resolve()));
      aborted.push(execution.id);
      await expect(journal.record("late", { type: "done", output: 1 })).rejects.toThrow("no longer run");
      return { type: "done", result: null };
    },
  };
  const engine = await working({ test: kind });
  const elsewhere = testEngine(fresh.store, {});
  await engine.start(fresh.store.db, begin("doomed"));
  await until("the deepest one runs", async () => {
    return (await readExecution(fresh.store.db, "doomed+++"))?.state === "running";
  });
  expect(await elsewhere.kill("doomed")).toEqual({
    killed: true,
    ids: ["doomed", "doomed+", "doomed++", "doomed+++"],
  });
  const first = await readExecution(fresh.store.db, "doomed");
  expect(first).toMatchObject({ state: "terminated", result: null });
  await until("the work in flight hears of it", () => aborted.length === 1, 1_000);
  expect(await engine.kill("doomed")).toEqual({ killed: false, ids: [] });
  expect(await engine.kill("doomed++")).toEqual({ killed: false, ids: [] });
  expect(await engine.kill("nobody")).toEqual({ killed: false, ids: [] });
  expect(await readExecution(fresh.store.db, "doomed")).toEqual(first);
  expect((await readLog(fresh.store.db, "doomed")).at(-1)).toMatch(/\[run\] killed$/);
});

test("killing a sub-run wakes its parent, whose step says so", async () => {
  const engine = await working({ scripted: scriptedKind() });
  await engine.start(fresh.store.db, startOf("outer", [{ do: "children", scripts: [nested(1, 60_000)] }]));
  await until("the sub-run waits", async () => {
    return (await readExecution(fresh.store.db, "outer/0.0"))?.state === "waiting";
  });
  await engine.kill("outer/0.0");
  expect(await ended(fresh.store, "outer")).toMatchObject({
    state: "failed",
    error: "the sub-run outer/0.0 was killed",
  });
});

test("S-12: a kill while sub-runs are being started at depth 3 misses none of them", async () => {
  const children = Array.from({ length: 5 }, () => [{ do: "wait", ms: 60_000 } as const]);
  const level = (depth: number): Parameters<typeof startOf>[1] => [
    { do: "children", scripts: depth === 0 ? children : [level(depth - 1), level(depth - 1)] },
  ];
  const engine = await working({ scripted: scriptedKind() }, 8);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 120 }), async (ms) => {
      const id = `spawning${round++}`;
      await engine.start(fresh.store.db, startOf(id, level(2)));
      await new Promise((resolve) => setTimeout(resolve, ms));
      const { killed } = await engine.kill(id);
      expect(killed).toBe(true);
      const tree = await listTree(fresh.store.db, id);
      expect(tree.filter((one) => one.finishedAt === null)).toEqual([]);
    }),
    { numRuns: long ? 300 : 15 },
  );
});

test("S-12: of a kill and an end at the same moment exactly one happens", async () => {
  const engine = await working({ scripted: scriptedKind() }, 8);
  const seen = new Set<string>();
  const rounds = long ? 1_000 : 80;
  for (let round = 0; round < rounds; round++) {
    const id = `close${round}`;
    await engine.start(fresh.store.db, startOf(id, [{ do: "children", scripts: [[{ do: "effect" }]] }]));
    await until("it has begun", async () => (await readExecution(fresh.store.db, id))?.startedAt != null);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
    const [one, two] = await Promise.all([engine.kill(id), engine.kill(id)]);
    const end = await ended(fresh.store, id);
    expect(Number(one.killed) + Number(two.killed)).toBe(end.state === "terminated" ? 1 : 0);
    seen.add(end.state);
    expect(await readExecution(fresh.store.db, id)).toEqual(end);
  }
  expect([...seen].sort()).toEqual(["done", "terminated"]);
});

test("S-54: a run that starts itself for ever ends at depth 10 with a reason", async () => {
  const kind: Kind = {
    async advance(execution, journal) {
      const step = journal.steps.get("self");
      if (step?.state === "failed") return { type: "failed", error: step.error ?? "" };
      if (!step) await journal.spawn("self", begin(`${execution.id}.`));
      return { type: "waiting" };
    },
  };
  const engine = await working({ test: kind });
  await engine.start(fresh.store.db, begin("selfish"));
  expect((await ended(fresh.store, "selfish")).error).toContain("nested deeper than 10 levels");
  expect(await listTree(fresh.store.db, "selfish")).toHaveLength(11);
});

test("S-54: steps and sub-runs over their number end a run with a reason", async () => {
  const kind: Kind = {
    async advance(execution, journal) {
      for (let index = 0; ; index++) {
        if (execution.id === "steps") await journal.record(`${index}`, { type: "done", output: null });
        else await journal.spawn(`${index}`, { ...begin(`${execution.id}/${index}`), kind: "scripted" });
      }
    },
  };
  const engine = await working({ test: kind });
  await engine.start(fresh.store.db, { ...startOf("x", []) });
  await engine.kill("x");
  // They have almost all that they may have.
  for (const [id, count, child] of [
    ["steps", 9_998, null],
    ["children", 998, "x"],
  ] as const) {
    await fresh.store.pool.query(
      "insert into executions (id, kind, root_id, depth, subject_id, input, epoch) values ($1, 'other', $1, 0, '', '{}', 1)",
      [id],
    );
    await fresh.store.pool.query(
      "insert into steps (execution_id, key, state, output, child_id, finished_at) select $1, 'old' || n, 'done', '1', $3, now() from generate_series(1, $2::int) n",
      [id, count, child],
    );
    await fresh.store.pool.query(
      "update executions set kind = 'test', queued_at = now() - interval '1 minute' where id = $1",
      [id],
    );
  }
  await sweep(fresh.store.db);
  expect(await ended(fresh.store, "children")).toMatchObject({
    error: "it started more than 1,000 sub-runs",
  });
  expect(await ended(fresh.store, "steps")).toMatchObject({ error: "it took more than 10,000 steps" });
  expect(await readSteps(fresh.store.db, "steps")).toHaveLength(10_000);
  expect(await listChildren(fresh.store.db, "children")).toHaveLength(2);
  await engine.stop({ graceMs: 0 });
});

test("a log that is over its limit is refused as a whole, and ends the run with a reason", async () => {
  let refused: unknown;
  const kind: Kind = {
    async advance(_, journal) {
      const half = "x".repeat(33 * 1024 * 1024);
      await journal.log([half]);
      refused = await journal.log([half]).catch((error: unknown) => error);
      throw refused;
    },
  };
  const engine = await working({ test: kind });
  await engine.start(fresh.store.db, begin("wordy"));
  expect(await ended(fresh.store, "wordy")).toMatchObject({
    state: "failed",
    error: "the log is larger than 64 MB",
    logCount: 1,
  });
  expect(refused).toBeInstanceOf(LimitError);
});

test("the fifty-first of a team waits in order, says so, and goes on when another has ended", async () => {
  const open = new Map<string, () => void>();
  const kind: Kind = {
    advance: (execution) =>
      new Promise((resolve) => open.set(execution.id, () => resolve({ type: "done", result: null }))),
  };
  const engine = await working({ test: kind }, 60);
  const id = (index: number) => `many${String(index).padStart(2, "0")}`;
  for (let index = 0; index < 53; index++) {
    await engine.start(fresh.store.db, { ...begin(id(index)), teamId: "team_full" });
    // One after the other, so that the last three are known to be the ones over the limit.
    await until(
      "it runs or is held",
      async () => open.has(id(index)) || (await readLog(fresh.store.db, id(index))).length > 0,
    );
  }
  // Another team is not held up.
  await engine.start(fresh.store.db, { ...begin("other"), teamId: "team_other" });
  await until("the other team's runs", () => open.has("other"));
  expect(open.size).toBe(51);
  expect(await readLog(fresh.store.db, id(50))).toEqual([
    expect.stringMatching(/\[run\] waiting: 50 are running/),
  ]);
  open.get(id(7))?.();
  await until("the first of those that wait", () => open.has(id(50)), 2_000);
  expect(open.has(id(51))).toBe(false);
  for (let index = 8; index < 20; index++) open.get(id(index))?.();
  await until("the others", () => open.has(id(51)) && open.has(id(52)), 2_000);
  for (const [name, finish] of open) {
    finish();
    expect(await ended(fresh.store, name)).toMatchObject({ state: "done" });
  }
});

test("rows that `ended` writes are there exactly when the execution is over, however it ended", async () => {
  const pool = fresh.store.pool;
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
  const engine = await working({ scripted: kind });
  await engine.start(fresh.store.db, startOf("e-done", [{ do: "effect" }]));
  await engine.start(fresh.store.db, startOf("e-failed", [{ do: "fail" }]));
  await engine.start(fresh.store.db, startOf("e-killed", [{ do: "wait", ms: 60_000 }]));
  await ended(fresh.store, "e-done");
  await ended(fresh.store, "e-failed");
  await engine.kill("e-killed");
  const { rows } = await pool.query("select * from ends order by id");
  expect(rows).toEqual([
    { id: "e-done", how: "done" },
    { id: "e-failed", how: "failed" },
    { id: "e-killed", how: "terminated" },
  ]);
});

test("an error that a kind did not expect fails the run without telling the world its words", async () => {
  const engine = await working({
    test: { advance: () => Promise.reject(new Error("secret words")) },
    idle: { advance: () => Promise.resolve({ type: "waiting" }) },
    // Like a lost database, but it is not ours.
    refused: { advance: () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" })) },
  });
  await engine.start(fresh.store.db, begin("oops"));
  await engine.start(fresh.store.db, begin("idle", "idle"));
  expect((await ended(fresh.store, "oops")).error).toMatch(/^something went wrong inside the service/);
  expect((await ended(fresh.store, "idle")).state).toBe("failed");
  await engine.start(fresh.store.db, begin("refused", "refused"));
  expect((await ended(fresh.store, "refused")).state).toBe("failed");
});

test("a step's own rows are written with the step or not at all", async () => {
  await fresh.store.pool.query("create table effects (id text)");
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
  const engine = await working({
    test: {
      async advance(_, journal) {
        await write(journal, "good", false);
        await write(journal, "good", false);
        await write(journal, "bad", true);
        return { type: "done", result: null };
      },
    },
  });
  await engine.start(fresh.store.db, begin("rows"));
  expect(await ended(fresh.store, "rows")).toMatchObject({ state: "failed", logCount: 1 });
  expect((await fresh.store.pool.query("select id from effects")).rows).toEqual([{ id: "good" }]);
  expect((await readSteps(fresh.store.db, "rows")).map((step) => step.key)).toEqual(["good"]);
});
