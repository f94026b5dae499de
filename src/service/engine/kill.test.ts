import fc from "fast-check";
import { expect, test } from "vitest";
import { ended, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { listTree, readLog } from "../../testing/executions.ts";
import { nested, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
const tests = engineTests();
/** Starts something of a kind that looks at its input itself. */
const begin = (id: string, kind = "test") => ({ ...startOf(id, []), kind });

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
  const engine = await tests.working({ test: kind });
  const elsewhere = testEngine(tests.fresh.store, {});
  await engine.start(tests.fresh.store.db, begin("doomed"));
  await until("the deepest one runs", async () => {
    return (await readExecution(tests.fresh.store.db, "doomed+++"))?.state === "running";
  });
  expect(await elsewhere.kill("doomed")).toEqual({
    killed: true,
    ids: ["doomed", "doomed+", "doomed++", "doomed+++"],
  });
  const first = await readExecution(tests.fresh.store.db, "doomed");
  expect(first).toMatchObject({ state: "terminated", result: null });
  await until("the work in flight hears of it", () => aborted.length === 1);
  expect(await engine.kill("doomed")).toEqual({ killed: false, ids: [] });
  expect(await engine.kill("doomed++")).toEqual({ killed: false, ids: [] });
  expect(await engine.kill("nobody")).toEqual({ killed: false, ids: [] });
  expect(await readExecution(tests.fresh.store.db, "doomed")).toEqual(first);
  expect((await readLog(tests.fresh.store.db, "doomed")).at(-1)).toMatch(/\[run\] killed$/);
});

test("killing a sub-run wakes its parent, whose step says so", async () => {
  const engine = await tests.working({ scripted: scriptedKind() });
  await engine.start(
    tests.fresh.store.db,
    startOf("outer", [{ do: "children", scripts: [nested(1, 60_000)] }]),
  );
  await until("the sub-run waits", async () => {
    return (await readExecution(tests.fresh.store.db, "outer/0.0"))?.state === "waiting";
  });
  await engine.kill("outer/0.0");
  expect(await ended(tests.fresh.store, "outer")).toMatchObject({
    state: "failed",
    error: "the sub-run outer/0.0 was killed",
  });
});

test("S-12: a kill while sub-runs are being started at depth 3 misses none of them", async () => {
  const children = Array.from({ length: 5 }, () => [{ do: "wait", ms: 60_000 } as const]);
  const level = (depth: number): Parameters<typeof startOf>[1] => [
    { do: "children", scripts: depth === 0 ? children : [level(depth - 1), level(depth - 1)] },
  ];
  const engine = await tests.working({ scripted: scriptedKind() }, 8);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 120 }), async (ms) => {
      const id = `spawning${round++}`;
      await engine.start(tests.fresh.store.db, startOf(id, level(2)));
      await new Promise((resolve) => setTimeout(resolve, ms));
      const { killed } = await engine.kill(id);
      expect(killed).toBe(true);
      const tree = await listTree(tests.fresh.store.db, id);
      expect(tree.filter((one) => one.finishedAt === null)).toEqual([]);
    }),
    { numRuns: long ? 300 : 15 },
  );
});

test("S-12: of a kill and an end at the same moment exactly one happens", async () => {
  const engine = await tests.working({ scripted: scriptedKind() }, 8);
  const seen = new Set<string>();
  const rounds = long ? 1_000 : 80;
  // How long it takes is different on each machine: the kill comes later after it came too early, and sooner after it
  // came too late.
  let ms = 6;
  for (let round = 0; round < rounds; round++) {
    const id = `close${round}`;
    await engine.start(
      tests.fresh.store.db,
      startOf(id, [{ do: "children", scripts: [[{ do: "effect" }]] }]),
    );
    await until(
      "it has begun",
      async () => (await readExecution(tests.fresh.store.db, id))?.startedAt != null,
    );
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 * ms));
    const [one, two] = await Promise.all([engine.kill(id), engine.kill(id)]);
    const end = await ended(tests.fresh.store, id);
    expect(Number(one.killed) + Number(two.killed)).toBe(end.state === "terminated" ? 1 : 0);
    seen.add(end.state);
    ms = end.state === "terminated" ? ms * 1.3 + 1 : ms * 0.7;
    expect(await readExecution(tests.fresh.store.db, id)).toEqual(end);
  }
  expect([...seen].sort()).toEqual(["done", "terminated"]);
});
