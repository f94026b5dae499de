import pino from "pino";
import { expect, test } from "vitest";
import { ended, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { scriptedKind } from "../../testing/scripted-kind.ts";
import { about, foresee } from "../../testing/speculation.ts";
import { until } from "../../testing/until.ts";
import { createEngine } from "./engine.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();
const find = (id: string) => readExecution(tests.fresh.store.db, id);
const log = (id: string) => readLog(tests.fresh.store.db, id);
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);

test("what takes long holds up the answer of no start: it begins after that", async () => {
  const events: string[] = [];
  const kind: Kind = {
    isSpeculative: true,
    async advance({ id }) {
      events.push(`${id} begins`);
      const begun = performance.now();
      while (performance.now() - begun < 20);
      return { type: "done", result: null };
    },
  };
  const engine = testEngine(tests.fresh.store, { scripted: kind }, { quickMs: 2 });
  await engine.work();
  for (const id of idsOf("slow", 3)) {
    await engine.launch(about("slow", id, []));
    events.push(`${id} is answered`);
    await ended(tests.fresh.store, id);
  }
  await engine.stop({ graceMs: 0 });
  expect(events).toEqual(idsOf("slow", 3).flatMap((id) => [`${id} is answered`, `${id} begins`]));
});

// The forecast may be wrong: no start may wait for what it began too early, which goes on from where it is, not anew. Only the
// run itself is held here, by `gone`, so that `launch` comes back while it is under way or this test never ends.
test("a run that was foreseen to end at once and does not holds up no start, and goes on once that is written", async () => {
  let isHeld = false;
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const begun: string[] = [];
  const kind: Kind = {
    isSpeculative: true,
    async advance({ id }, journal) {
      begun.push(id);
      await journal.record("a", { type: "done", output: 1 }, { log: ["a"], isRepeatable: true });
      if (isHeld) await gone;
      return { type: "done", result: journal.steps.size };
    },
  };
  const engine = await tests.working({ scripted: kind });
  await foresee(tests.fresh.store, engine, "held");
  isHeld = true;
  await engine.launch(about("held", "held", []));
  expect(await find("held")).toMatchObject({ state: "running" });
  await until("its line is there", async () => (await log("held")).length === 1);
  go();
  expect(await ended(tests.fresh.store, "held")).toMatchObject({ state: "done", result: 1 });
  expect(await log("held")).toEqual(["a"]);
  expect(begun).toEqual(["held-before", "held"]);
});

test.each([
  ["does not say that it may", {}],
  ["writes what belongs to its end", { isSpeculative: true, ended: async () => undefined }],
] satisfies [string, Partial<Kind>][])(
  "a kind that %s begins nothing before its start",
  async (name, kind) => {
    const events: string[] = [];
    const advance: Kind["advance"] = async ({ id }) => {
      events.push(`${id} begins`);
      return { type: "done", result: null };
    };
    const engine = await tests.working({ scripted: { ...kind, advance } });
    const ids = idsOf(name, 2);
    for (const id of ids) {
      await engine.launch(about(name, id, []));
      events.push(`${id} is answered`);
      await ended(tests.fresh.store, id);
    }
    expect(events).toEqual(ids.flatMap((id) => [`${id} is answered`, `${id} begins`]));
  },
);

test("a process that works no more begins nothing before its start", async () => {
  const begun: string[] = [];
  const kind: Kind = {
    isSpeculative: true,
    async advance({ id }) {
      begun.push(id);
      return { type: "done", result: null };
    },
  };
  const engine = await tests.working({ scripted: kind });
  await foresee(tests.fresh.store, engine, "idle");
  await engine.stop({ graceMs: 0 });
  await engine.launch(about("idle", "idle", []));
  expect(begun).toEqual(["idle-before"]);
  expect(await find("idle")).toMatchObject({ state: "queued" });
});

test.each([
  ["an hour ahead of", 3_600_000],
  ["an hour behind", -3_600_000],
])(
  "a process whose clock is %s the database's begins what it starts within a second of its end",
  async (_, offMs) => {
    const { store } = tests.fresh;
    const engine = createEngine({
      ...{ store, concurrency: 4, owner: `off by ${offMs}`, quickMs: Number.POSITIVE_INFINITY },
      kinds: { scripted: scriptedKind({}, true) },
      clock: { now: () => new Date(Date.now() + offMs) },
      log: pino({ level: "silent" }),
    });
    await engine.work();
    await foresee(tests.fresh.store, engine, `off${offMs}`);
    await engine.launch(about(`off${offMs}`, `off${offMs}`, [{ do: "think" }]));
    await engine.stop({ graceMs: 0 });
    const execution = await find(`off${offMs}`);
    const tookMs = Number(execution?.finishedAt) - Number(execution?.createdAt);
    expect(tookMs).toBeGreaterThanOrEqual(0);
    expect(tookMs).toBeLessThanOrEqual(1_000);
    expect(execution?.startedAt).toEqual(execution?.createdAt);
  },
);
