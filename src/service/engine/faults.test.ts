import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, loseAllWorkers, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { listTree, readLog, readSteps } from "../../testing/executions.ts";
import { nested, type Probe, type Script, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import type { Journal, Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
const tests = engineTests();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wh-ledger-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("S-03: a worker that wakes up after its lease was taken changes nothing any more", async () => {
  const resume: (() => void)[] = [];
  const zombies: Promise<unknown>[] = [];
  const kind: Kind = {
    async advance(_, journal) {
      if (resume.length === 0) {
        // The first one stands still before its step, and goes on when another has long ended it.
        await new Promise<void>((resolve) => resume.push(resolve));
        const writes: ((journal: Journal) => Promise<void>)[] = [
          (mine) => mine.record("step", { type: "done", output: "zombie" }, { log: ["zombie"] }),
          (mine) => mine.log(["zombie"]),
          (mine) => mine.wait("wait", 0),
          (mine) => mine.spawn("child", startOf("zombie-child", [])),
        ];
        for (const write of writes) zombies.push(write(journal).catch((error: Error) => error.name));
        return { type: "done", result: "zombie", log: ["zombie"] };
      }
      await journal.record("step", { type: "done", output: "living" }, { log: ["living"] });
      return { type: "done", result: "living" };
    },
  };
  const first = await tests.working({ scripted: kind }, 1);
  await first.start(tests.fresh.store.db, startOf("stolen", []));
  await until("the first one has it", () => resume.length === 1);
  const second = await tests.working({ scripted: kind }, 1);
  await loseAllWorkers(tests.fresh.store);
  const end = await ended(tests.fresh.store, "stolen");
  resume[0]?.();
  await until("the zombie has tried", () => zombies.length === 4);
  expect(await Promise.all(zombies)).toEqual(["Fenced", "Fenced", "Fenced", "Fenced"]);
  expect(await readExecution(tests.fresh.store.db, "stolen")).toEqual(end);
  expect(end.result).toBe("living");
  expect(await readLog(tests.fresh.store.db, "stolen")).toEqual(["living"]);
  expect((await readSteps(tests.fresh.store.db, "stolen")).map((step) => step.output)).toEqual(["living"]);
  expect(await readExecution(tests.fresh.store.db, "zombie-child")).toBeUndefined();
  await second.stop({ graceMs: 0 });
});

const lateWrites: Readonly<Record<string, (journal: Journal) => Promise<void>>> = {
  step: (journal) => journal.record("late", { type: "done", output: "late" }, { log: ["late"] }),
  line: (journal) => journal.log(["late"]),
  wait: (journal) => journal.wait("late", 0),
  child: (journal) => journal.spawn("late", startOf("late-child", [])),
};

test.each(Object.entries(lateWrites))(
  "S-03: whoever has lost an execution writes nothing beside the one that has it: %s",
  async (name, write) => {
    let hands = 0;
    let outcome: string | undefined;
    const kind: Kind = {
      async advance(_, journal) {
        hands += 1;
        if (hands === 1) {
          await until("another has it", () => hands === 2);
          outcome = await write(journal).then(
            () => "written",
            (error: Error) => error.name,
          );
          return { type: "done", result: "late" };
        }
        await until("the first one has tried", () => outcome !== undefined);
        return { type: "done", result: "living" };
      },
    };
    const id = `beside-${name}`;
    const first = await tests.working({ scripted: kind }, 1);
    await first.start(tests.fresh.store.db, startOf(id, []));
    await until("the first one has it", () => hands === 1);
    await tests.working({ scripted: kind }, 1);
    await loseAllWorkers(tests.fresh.store);
    await until("the first one has tried", () => outcome !== undefined);
    expect(outcome).toBe("Fenced");
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: "living" });
    expect(await readLog(tests.fresh.store.db, id)).toEqual([]);
    expect(await readSteps(tests.fresh.store.db, id)).toEqual([]);
  },
);

test("S-03: whoever has lost an execution does not end it beside the one that has it", async () => {
  let hands = 0;
  let hasTried = false;
  const kind: Kind = {
    async advance() {
      hands += 1;
      if (hands === 1) {
        await until("another has it", () => hands === 2);
        return { type: "done", result: "late" };
      }
      await until("the first one has tried", () => hasTried);
      return { type: "done", result: "living" };
    },
  };
  const first = await tests.working({ scripted: kind }, 1);
  await first.start(tests.fresh.store.db, startOf("end-beside", []));
  await until("the first one has it", () => hands === 1);
  await tests.working({ scripted: kind }, 1);
  await loseAllWorkers(tests.fresh.store);
  await until("another has it", () => hands === 2);
  // What it has is over when it has stopped.
  await first.stop({ graceMs: 60_000 });
  hasTried = true;
  expect(await ended(tests.fresh.store, "end-beside")).toMatchObject({ state: "done", result: "living" });
});

const plain: Script = [
  { do: "effect" },
  { do: "wait", ms: 1 },
  { do: "children", scripts: [nested(1, 1)] },
  { do: "effect" },
];
/** The same with steps in between that wait for the next write. */
const batched: Script = plain.flatMap((line) => [{ do: "think" }, line, { do: "think" }]);

test.each([
  ["each step written by itself", plain, [0, 3], "start"],
  ["steps that wait for the next write", batched, [0, 1, 2, 3, 5, 6, 8, 9, 10, 11], "start"],
  ["begun claimed, in a group of three", batched, [0, 1, 2, 3, 5, 6, 8, 9, 10, 11], "launch"],
  [
    "begun before their starts, two of three ended with them",
    batched,
    [0, 1, 2, 3, 5, 6, 8, 9, 10, 11],
    "ahead",
  ],
] as const)(
  "S-04: a worker that dies before or after any effect leaves a run that ends, no step recorded twice: %s",
  async (name, script, logged, how) => {
    let endedWithStart = 0;
    // Counted once without a death: how many moments there are to die at.
    for (const side of ["before", "after"] as const) {
      for (let moment = 0; ; moment++) {
        const ledger: string[] = [];
        let count = 0;
        let dead = false;
        const dies = async () => {
          if (dead || count++ !== moment) return;
          dead = true;
          await new Promise<never>(() => {});
        };
        const probe: Probe = {
          before: async () => void (side === "before" && (await dies())),
          after: async (id, key) => {
            ledger.push(`${id} ${key}`);
            if (side === "after") await dies();
          },
        };
        const kind = scriptedKind(probe, how === "ahead");
        const id = `dies-${name.length}-${side}-${moment}`;
        const engine = await tests.working({ scripted: kind });
        if (how === "ahead") {
          // From now on it is foreseen that those about this subject end at once.
          await engine.launch(startOf(`${id}-c`, [{ do: "think" }]));
          await ended(tests.fresh.store, `${id}-c`);
        }
        const others = how === "start" ? [] : [`${id}-a`, `${id}-b`];
        if (how === "start") await engine.start(tests.fresh.store.db, startOf(id, script));
        else {
          const together = [startOf(id, script), ...others.map((other) => startOf(other, [{ do: "think" }]))];
          await Promise.all(together.map((one) => engine.launch(one)));
        }
        for (const other of others) {
          const { state } = (await readExecution(tests.fresh.store.db, other)) ?? {};
          if (state === "done") endedWithStart++;
        }
        await until(
          "it has died or ended",
          async () => dead || (await readExecution(tests.fresh.store.db, id))?.finishedAt != null,
        );
        if (dead) await loseAllWorkers(tests.fresh.store);
        expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
        const lines = logged.map((step) => `step ${step}`);
        expect(await readLog(tests.fresh.store.db, id)).toEqual([...lines, "done"]);
        for (const other of others) {
          expect(await ended(tests.fresh.store, other)).toMatchObject({ state: "done" });
          expect(await readLog(tests.fresh.store.db, other)).toEqual(["step 0", "done"]);
        }
        // Only the effect that was cut off after it happened is there a second time.
        expect(ledger.length - new Set(ledger).size).toBe(dead && side === "after" ? 1 : 0);
        await engine.stop({ graceMs: 0 });
        if (!dead) {
          expect(moment).toBe(new Set(ledger).size);
          break; // all moments have been tried
        }
      }
    }
    // Where a moment had no room for them they went through the queue; mostly it has.
    if (how === "ahead") expect(endedWithStart).toBeGreaterThan(0);
  },
);

test("a run whose worker dies five times at the same place is given up with a reason", async () => {
  let begun = 0;
  const kind: Kind = {
    async advance(execution, journal) {
      if (execution.depth === 1) {
        await journal.wait("long", 3_600_000);
        return { type: "waiting" };
      }
      await journal.spawn("child", startOf("poison/child", []));
      begun++;
      return new Promise(() => {});
    },
  };
  const engine = await tests.working({ scripted: kind }, 8);
  await engine.start(tests.fresh.store.db, startOf("poison", []));
  for (let death = 1; death <= 5; death++) {
    await until(`worker ${death} has it`, () => begun === death);
    await loseAllWorkers(tests.fresh.store);
  }
  expect((await ended(tests.fresh.store, "poison")).error).toBe(
    "the worker stopped 5 times while running this",
  );
  expect(begun).toBe(5);
  // What it had started is not left behind.
  expect(await readExecution(tests.fresh.store.db, "poison/child")).toMatchObject({ state: "terminated" });
});

test("a worker that dies now and then, but gets on in between, is not given up", async () => {
  const kind: Kind = {
    async advance(_, journal) {
      if (journal.steps.size === 8) return { type: "done", result: null };
      await journal.record(String(journal.steps.size), { type: "done", output: null });
      return new Promise(() => {});
    },
  };
  const engine = await tests.working({ scripted: kind }, 12);
  await engine.start(tests.fresh.store.db, startOf("slow", []));
  for (let death = 1; death <= 8; death++) {
    await until(
      "a step is recorded",
      async () => (await readSteps(tests.fresh.store.db, "slow")).length === death,
    );
    await loseAllWorkers(tests.fresh.store);
  }
  expect(await ended(tests.fresh.store, "slow")).toMatchObject({ state: "done" });
});

test("S-18: a worker that is told to stop gives back what it has within its grace, and another goes on", async () => {
  let stopped = false;
  const kind: Kind = {
    async advance(_, journal) {
      await journal.record("begun", { type: "done", output: null });
      if (stopped) return { type: "done", result: null };
      await new Promise((_, reject) =>
        journal.signal.addEventListener("abort", () => reject(new Error("aborted"))),
      );
      return { type: "failed", error: "never" };
    },
  };
  const first = await tests.working({ scripted: kind }, 20);
  const ids = Array.from({ length: 30 }, (_, index) => `stop${index}`);
  for (const id of ids) await first.start(tests.fresh.store.db, startOf(id, []));
  await until("twenty run", async () => (await runningCount()) === 20);
  const { pool } = tests.fresh.store;
  await pool.query(
    `insert into traces (root_id, trace_id, is_sampled) select id, 'trace of ' || id, true from executions where id like 'stop%'`,
  );
  const begun = performance.now();
  await first.stop({ graceMs: 100 });
  expect(performance.now() - begun).toBeLessThan(20_000);
  const { rows } = await tests.fresh.store.pool.query(
    "select distinct state, attempts from executions where id like 'stop%'",
  );
  expect(rows).toEqual([{ state: "queued", attempts: 0 }]);
  const noted = await pool.query("select count(*)::integer as given from takeovers where is_handover");
  expect(noted.rows).toEqual([{ given: 20 }]);
  // Ready at once: nothing has to run out first, and no sweep has to find them.
  const ready = await tests.fresh.store.pool.query(
    "select id from executions where id like 'stop%' and state = 'queued' and queued_at <= now()",
  );
  expect(ready.rows.map((row) => row.id).sort()).toEqual([...ids].sort());
  stopped = true;
  await tests.working({ scripted: kind }, 20);
  for (const id of ids) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
});

const runningCount = async () =>
  Number(
    (await tests.fresh.store.pool.query("select count(*) from executions where state = 'running'")).rows[0]
      .count,
  );

test("S-05: when the database throws everybody out, the process lives on and every run ends", async () => {
  const ledger: string[] = [];
  const engine = await tests.working(
    { scripted: scriptedKind({ after: (id, key) => void ledger.push(`${id} ${key}`) }) },
    8,
  );
  const ids = Array.from({ length: 40 }, (_, index) => `thrown${index}`);
  for (const id of ids) await engine.start(tests.fresh.store.db, startOf(id, nested(1, 30)));
  const rounds = long ? 60 : 6;
  // Asked before: the pool may not have heard yet that its connections are gone.
  const { rows } = await tests.fresh.store.pool.query("select current_database() as name");
  for (let round = 0; round < rounds; round++) {
    await delay(120);
    const admin = await tests.fresh.another();
    await admin.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [rows[0].name],
    );
    await admin.close();
  }
  for (const id of ids) expect(await ended(tests.fresh.store, id, 40_000)).toMatchObject({ state: "done" });
  for (const id of ids) expect(await readLog(tests.fresh.store.db, id)).toEqual(["step 0", "step 3", "done"]);
}, 300_000);

test(
  "S-01: kill -9 in the middle of fifty runs and a restart: all end, no step is done twice but the one cut off",
  async () => {
    const seeds = long ? 10 : 1;
    for (let seed = 0; seed < seeds; seed++) {
      const ledger = join(folder, `ledger-${seed}`);
      const engine = testEngine(tests.fresh.store, {});
      const first = await tests.workerProcess({ ledger, concurrency: 8 });
      const ids = Array.from({ length: 50 }, (_, index) => `killed-${seed}-${index}`);
      await Promise.all(ids.map((id) => engine.start(tests.fresh.store.db, startOf(id, nested(2, 20)))));
      await until("it is in the middle", async () => {
        const text = await readFile(ledger, "utf8").catch(() => "");
        return text.split("\n").length > 60 + seed * 10;
      });
      const gone = once(first, "exit");
      first.kill("SIGKILL");
      await gone;
      const finished = await tests.fresh.store.pool.query(
        "select id, finished_at from executions where finished_at is not null",
      );
      if (!long) await loseAllWorkers(tests.fresh.store);
      const second = await tests.workerProcess({ ledger, concurrency: 8 });
      const ready = performance.now();
      for (const id of ids)
        expect(await ended(tests.fresh.store, id, 30_000)).toMatchObject({ state: "done" });
      expect(performance.now() - ready).toBeLessThan(30_000);
      const effects = (await readFile(ledger, "utf8"))
        .trim()
        .split("\n")
        .filter((line) => line.startsWith(`killed-${seed}-`));
      // 3 levels with 2 effects each; the kill can repeat at most the 8 that were in flight.
      expect(new Set(effects).size).toBe(50 * 6);
      expect(effects.length - 50 * 6).toBeLessThanOrEqual(8);
      for (const row of finished.rows) {
        expect((await readExecution(tests.fresh.store.db, row.id))?.finishedAt).toEqual(row.finished_at);
      }
      for (const id of ids) expect(await listTree(tests.fresh.store.db, id)).toHaveLength(3);
      second.kill("SIGKILL");
    }
  },
  long ? 600_000 : 180_000,
);

test("S-03: a worker process that stands still longer than its lease loses its runs, and doubles none when it wakes", async () => {
  const ledger = join(folder, "ledger-stopped");
  const engine = testEngine(tests.fresh.store, {});
  const first = await tests.workerProcess({ ledger, concurrency: 4 });
  const ids = Array.from({ length: 12 }, (_, index) => `frozen-${index}`);
  for (const id of ids) await engine.start(tests.fresh.store.db, startOf(id, nested(1, 100)));
  await until("it has begun", async () => (await readFile(ledger, "utf8").catch(() => "")).length > 100);
  first.kill("SIGSTOP");
  if (long) await delay(12_000);
  else await loseAllWorkers(tests.fresh.store);
  await tests.workerProcess({ ledger, concurrency: 4 });
  for (const id of ids) expect(await ended(tests.fresh.store, id, 30_000)).toMatchObject({ state: "done" });
  const before = await tests.fresh.store.pool.query(
    "select id, revision, finished_at from executions order by id",
  );
  first.kill("SIGCONT");
  await delay(500); // it may do what it wants: there is no event for nothing happening
  const after = await tests.fresh.store.pool.query(
    "select id, revision, finished_at from executions order by id",
  );
  expect(after.rows).toEqual(before.rows);
}, 300_000);
