import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, loseAllWorkers, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { everReady, witnessQueue } from "../../testing/queue-witness.ts";
import { scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import type { Engine } from "./engine.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";
import { start } from "./start.ts";

const tests = engineTests();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wh-starting-"));
  await witnessQueue(tests.fresh.store);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const begin = (engine: Engine, id: string) => engine.starting((_, go) => go(startOf(id, [{ do: "effect" }])));

const queued = (ids: readonly string[]) => everReady(tests.fresh.store, ids);

/** A kind that stays at work until it is let go. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const at = { once: 0, most: 0 };
  const kind: Kind = {
    async advance() {
      at.most = Math.max(at.most, ++at.once);
      await opened;
      at.once--;
      return { type: "done", result: null };
    },
  };
  return { kind, open: () => open(), at };
}

test("what a process starts while it has room it takes up itself, and the queue never hears of it", async () => {
  const engine = await tests.working({ scripted: scriptedKind() });
  const ids = Array.from({ length: 20 }, (_, n) => `own${n}`);
  for (const id of ids) {
    await begin(engine, id);
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
    expect(await readLog(tests.fresh.store.db, id)).toEqual(["step 0", "done"]);
  }
  expect(await queued(ids)).toEqual([]);
});

test("at most half of what a process may do is its own; the rest goes to the queue, and it never does more than it may", async () => {
  const { kind, open, at } = gate();
  const engine = await tests.working({ scripted: kind }, 4);
  const ids = Array.from({ length: 8 }, (_, n) => `full${n}`);
  for (const id of ids) await begin(engine, id);
  expect(await queued(ids)).toEqual(ids.slice(2));
  await until("four run", () => at.once === 4);
  open();
  for (const id of ids) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect(at.most).toBe(4);
});

test("room for a start that is rolled back is free again, and nothing runs", async () => {
  const engine = await tests.working({ scripted: scriptedKind() }, 2);
  for (let n = 0; n < 5; n++) {
    const start = engine.starting(async (_, go) => {
      await go(startOf("undone", []));
      throw new Error("rolled back");
    });
    await expect(start).rejects.toThrow("rolled back");
  }
  expect(await readExecution(tests.fresh.store.db, "undone")).toBeUndefined();
  await begin(engine, "after-undone");
  expect(await ended(tests.fresh.store, "after-undone")).toMatchObject({ state: "done" });
  expect(await queued(["after-undone"])).toEqual([]);
});

test("a process that does not work hands what it starts to others; one that stops does too", async () => {
  const stopping = await tests.working({ scripted: scriptedKind() }, 2);
  await stopping.starting(async (_, go) => {
    await go(startOf("between", []));
    await stopping.stop({ graceMs: 0 });
    await begin(stopping, "late");
  });
  await until("it is handed on", async () => (await queued(["between"])).length === 1);
  await begin(testEngine(tests.fresh.store, {}), "elsewhere");
  expect(await queued(["elsewhere"])).toEqual(["elsewhere"]);
  expect(await queued(["late"])).toEqual(["late"]);
  await tests.working({ scripted: scriptedKind() });
  for (const id of ["elsewhere", "between", "late"])
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
});

test("S-02: a process that dies after a start and before it takes it up leaves it to others", async () => {
  await start(tests.fresh.store.db, startOf("left-alone", []), "self");
  await tests.working({ scripted: scriptedKind() });
  // Nobody was told of it: others find it by themselves.
  expect(await ended(tests.fresh.store, "left-alone", 13_000)).toMatchObject({ state: "done" });
}, 30_000);

test("S-02: kill -9 of a process in the middle of what it has started itself loses nothing and doubles nothing", async () => {
  const ledger = join(folder, "ledger");
  const starter = await tests.workerProcess({ ledger, concurrency: 12, diesAt: "recorded", starts: 30 });
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, "exit");
  const { store } = tests.fresh;
  const { rows } = await store.pool.query<{ id: string }>("select id from executions where id like 'mine%'");
  expect(rows.length).toBeGreaterThan(0);
  await loseAllWorkers(store);
  await tests.working({ scripted: scriptedKind() }, 8);
  for (const { id } of rows) {
    expect(await ended(store, id)).toMatchObject({ state: "done" });
    expect(await readLog(store.db, id)).toEqual(["step 0", "done"]);
  }
  const effects = (await readFile(ledger, "utf8")).trim().split("\n");
  expect(new Set(effects).size).toBe(effects.length);
}, 60_000);
