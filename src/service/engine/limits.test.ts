import { expect, test } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { listChildren, listTree, readLog, readSteps } from "../../testing/executions.ts";
import { startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { LimitError } from "./engine-error.ts";
import type { Kind } from "./kind.ts";
import { sweep } from "./sweep.ts";

const tests = engineTests();
/** Starts something of a kind that looks at its input itself. */
const begin = (id: string, kind = "test") => ({ ...startOf(id, []), kind });

test("S-54: a run that starts itself for ever ends at depth 10 with a reason", async () => {
  const kind: Kind = {
    async advance(execution, journal) {
      const step = journal.steps.get("self");
      if (step?.state === "failed") return { type: "failed", error: step.error ?? "" };
      if (!step) await journal.spawn("self", begin(`${execution.id}.`));
      return { type: "waiting" };
    },
  };
  const engine = await tests.working({ test: kind });
  await engine.start(tests.fresh.store.db, begin("selfish"));
  expect((await ended(tests.fresh.store, "selfish")).error).toContain("nested deeper than 10 levels");
  expect(await listTree(tests.fresh.store.db, "selfish")).toHaveLength(11);
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
  const engine = await tests.working({ test: kind });
  await engine.start(tests.fresh.store.db, { ...startOf("x", []) });
  await engine.kill("x");
  // They have almost all that they may have.
  for (const [id, count, child] of [
    ["steps", 9_998, null],
    ["children", 998, "x"],
  ] as const) {
    await tests.fresh.store.pool.query(
      "insert into executions (id, kind, root_id, depth, subject_id, input, epoch) values ($1, 'other', $1, 0, '', '{}', 1)",
      [id],
    );
    await tests.fresh.store.pool.query(
      "insert into steps (execution_id, key, state, output, child_id, finished_at) select $1, 'old' || n, 'done', '1', $3, now() from generate_series(1, $2::int) n",
      [id, count, child],
    );
    await tests.fresh.store.pool.query(
      "update executions set kind = 'test', queued_at = now() - interval '1 minute' where id = $1",
      [id],
    );
  }
  await sweep(tests.fresh.store.db);
  expect(await ended(tests.fresh.store, "children")).toMatchObject({
    error: "it started more than 1,000 sub-runs",
  });
  expect(await ended(tests.fresh.store, "steps")).toMatchObject({ error: "it took more than 10,000 steps" });
  expect(await readSteps(tests.fresh.store.db, "steps")).toHaveLength(10_000);
  expect(await listChildren(tests.fresh.store.db, "children")).toHaveLength(2);
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
  const engine = await tests.working({ test: kind });
  await engine.start(tests.fresh.store.db, begin("wordy"));
  expect(await ended(tests.fresh.store, "wordy", 60_000)).toMatchObject({
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
  const engine = await tests.working({ test: kind }, 60);
  const id = (index: number) => `many${String(index).padStart(2, "0")}`;
  for (let index = 0; index < 53; index++) {
    await engine.start(tests.fresh.store.db, { ...begin(id(index)), teamId: "team_full" });
    // One after the other, so that the last three are known to be the ones over the limit.
    await until(
      "it runs or is held",
      async () => open.has(id(index)) || (await readLog(tests.fresh.store.db, id(index))).length > 0,
    );
  }
  // Another team is not held up.
  await engine.start(tests.fresh.store.db, { ...begin("other"), teamId: "team_other" });
  await until("the other team's runs", () => open.has("other"));
  expect(open.size).toBe(51);
  expect(await readLog(tests.fresh.store.db, id(50))).toEqual([
    expect.stringMatching(/\[run\] waiting: 50 runs and conversations of this team are already running/),
  ]);
  open.get(id(7))?.();
  await until("the first of those that wait", () => open.has(id(50)));
  expect(open.has(id(51))).toBe(false);
  for (let index = 8; index < 20; index++) open.get(id(index))?.();
  await until("the others", () => open.has(id(51)) && open.has(id(52)));
  for (const [name, finish] of open) {
    finish();
    expect(await ended(tests.fresh.store, name)).toMatchObject({ state: "done" });
  }
});
