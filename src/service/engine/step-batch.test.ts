import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { ended, isDue, loseAllWorkers, takeOver } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog, readSteps } from "../../testing/executions.ts";
import { startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import type { AttachedRow } from "./attached-rows.ts";
import { limits } from "./engine-error.ts";
import type { Journal, Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();

beforeAll(async () => {
  await tests.fresh.store.pool.query("create table said (execution_id text, words text)");
});

const saying = (rows: readonly JsonValue[]) => sql`saying as (
  insert into said (execution_id, words)
  select execution_id, words from recorded join json_to_recordset(${toJson(rows)}::json)
         as given (execution_id text, words text) using (execution_id))`;
/** A row of a step; what two steps say in one statement is one row. */
const says = (words: string): AttachedRow => ({
  write: saying,
  row: { words },
  join: (earlier, later) => ({ words: `${earlier.words} ${later.words}` }),
});
async function saidBy(id: string): Promise<string[]> {
  const { rows } = await tests.fresh.store.pool.query<{ words: string }>(
    "select words from said where execution_id = $1 order by ctid",
    [id],
  );
  return rows.map((row) => row.words);
}
/** Records a step that may be repeated, with a row of its own. */
const thinkAloud = (journal: Journal, key: string) =>
  journal.record(key, { type: "done", output: key }, { log: [key], rows: [says(key)], isRepeatable: true });

/** Records a step that may be repeated, with a line of its own. */
const think = (journal: Journal, key: string) =>
  journal.record(key, { type: "done", output: key }, { log: [key], isRepeatable: true });
const act = (journal: Journal, key: string) =>
  journal.record(key, { type: "done", output: key }, { log: [key] });

async function isQueued(id: string): Promise<boolean> {
  return (await readExecution(tests.fresh.store.db, id))?.state === "queued";
}

const keys = async (id: string) => (await readSteps(tests.fresh.store.db, id)).map((step) => step.key).sort();
const log = (id: string) => readLog(tests.fresh.store.db, id);

async function run(id: string, advance: Kind["advance"]) {
  const engine = await tests.working({ scripted: { advance } }, 2);
  await engine.starting((_, start) => start(startOf(id, [])));
  return engine;
}

test("steps that may be repeated are written with the next write, in their order; with an end only their lines are", async () => {
  const seen: unknown[] = [];
  await run("together", async (_, journal) => {
    await think(journal, "a");
    await think(journal, "b");
    seen.push([...journal.steps.keys()]);
    await act(journal, "c");
    seen.push(
      await keys("together"),
      await log("together"),
      (await readExecution(tests.fresh.store.db, "together"))?.revision,
    );
    await think(journal, "d");
    await journal.log(["said"]);
    seen.push(await keys("together"), await log("together"));
    await think(journal, "e");
    return { type: "done", result: null, log: ["end"] };
  });
  expect(await ended(tests.fresh.store, "together")).toMatchObject({ state: "done", logCount: 7 });
  expect(seen).toEqual([
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "b", "c"],
    2,
    ["a", "b", "c", "d"],
    ["a", "b", "c", "d", "said"],
  ]);
  expect(await keys("together")).toEqual(["a", "b", "c", "d"]);
  expect(await log("together")).toEqual(["a", "b", "c", "d", "said", "e", "end"]);
});

test.each([
  ["fails", async () => ({ type: "failed", error: "so it is", log: ["end"] }) as const, ["a", "end"]],
  ["throws", () => Promise.reject(new Error("a fault")), ["a"]],
])("the lines of what was not written yet are there when the run %s", async (what, outcome, lines) => {
  await run(what, async (_, journal) => {
    await think(journal, "a");
    return outcome();
  });
  expect(await ended(tests.fresh.store, what)).toMatchObject({ state: "failed" });
  expect(await log(what)).toEqual(lines);
});

test("what waits for the next write is shown a moment later although nothing else is written", async () => {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  await run("shown", async (_, journal) => {
    await think(journal, "a");
    await gone;
    await think(journal, "b");
    return { type: "done", result: null };
  });
  await until("the line is there", async () => (await log("shown")).length === 1);
  expect(await keys("shown")).toEqual(["a"]);
  go();
  await ended(tests.fresh.store, "shown");
  expect(await log("shown")).toEqual(["a", "b"]);
});

test("so many steps at once do not wait for each other's time", async () => {
  let written = 0;
  await run("many", async (_, journal) => {
    for (let n = 0; n < 60; n++) await think(journal, String(n));
    written = (await keys("many")).length;
    return { type: "done", result: null };
  });
  await ended(tests.fresh.store, "many");
  expect(written).toBeGreaterThanOrEqual(50);
  expect(await log("many")).toEqual(Array.from({ length: 60 }, (_, n) => String(n)));
});

test("all of it is written before an execution waits, and none of it is done again after that", async () => {
  const done: string[] = [];
  const kind: Kind = {
    async advance({ id }, journal) {
      for (const key of ["a", "b"]) {
        if (!journal.steps.has(key)) done.push(`${id} ${key}`);
        if (key === "b" && !journal.steps.has("wait")) await journal.wait("wait", 1_000);
        await think(journal, key);
      }
      const waits = journal.steps.get("wait")?.state === "waiting";
      return waits ? { type: "waiting" } : { type: "done", result: null };
    },
  };
  const engine = await tests.working({ scripted: kind }, 20);
  // Many, as it is a matter of moments which of two writes would be first.
  const ids = Array.from({ length: 20 }, (_, n) => `waits${n}`);
  for (const id of ids) await engine.starting((_, start) => start(startOf(id, [])));
  for (const id of ids) await ended(tests.fresh.store, id);
  expect(done.sort()).toEqual(ids.flatMap((id) => [`${id} a`, `${id} b`]).sort());
  for (const id of ids) expect(await log(id)).toEqual(["a", "b"]);
});

test("S-04: a worker that dies with steps that wait does them again, and each line is there once", async () => {
  const done: string[] = [];
  let deaths = 0;
  await run("dies", async (_, journal) => {
    for (const key of ["a", "b", "c", "d"]) {
      if (journal.steps.has(key)) continue;
      done.push(key);
      if (key === "b") await act(journal, key);
      else await think(journal, key);
      if (key === "d" && deaths++ === 0) {
        // In the same turn of the event loop, before anything of it is written.
        void loseAllWorkers(tests.fresh.store);
        return new Promise(() => {});
      }
    }
    return { type: "done", result: null };
  });
  expect(await ended(tests.fresh.store, "dies")).toMatchObject({ state: "done" });
  expect(await log("dies")).toEqual(["a", "b", "c", "d"]);
  expect(done.slice(0, 4)).toEqual(["a", "b", "c", "d"]);
  expect(new Set(done.slice(4))).not.toContain("a");
  expect(new Set(done.slice(4))).not.toContain("b");
});

test("S-03: steps that wait in a worker which has lost its execution are never written", async () => {
  let isLost = false;
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const zombie = { tried: false };
  const advance: Kind["advance"] = async (_, journal) => {
    if (isLost) {
      await act(journal, "living");
      return { type: "done", result: "living" };
    }
    isLost = true;
    await loseAllWorkers(tests.fresh.store);
    await resumed;
    await think(journal, "zombie").catch(() => undefined);
    await act(journal, "late").catch(() => undefined);
    zombie.tried = true;
    return { type: "done", result: "zombie" };
  };
  await run("lost", advance);
  expect(await ended(tests.fresh.store, "lost")).toMatchObject({ result: "living" });
  resume();
  await until("the zombie has tried", () => zombie.tried);
  expect(await keys("lost")).toEqual(["living"]);
  expect(await log("lost")).toEqual(["living"]);
});

test("a write that is over a limit takes nothing with it that has waited for it", async () => {
  await run("limited", async (_, journal) => {
    await think(journal, "a");
    const tooMuch = "x".repeat(limits.logBytes);
    await expect(journal.log([tooMuch])).rejects.toThrow("the log is larger than");
    await act(journal, "b");
    return { type: "done", result: null };
  });
  expect(await ended(tests.fresh.store, "limited")).toMatchObject({ state: "done" });
  expect(await log("limited")).toEqual(["a", "b"]);
});

test("rows of steps that may be repeated are written with the next write, as one, or with the end", async () => {
  const seen: unknown[] = [];
  await run("aloud", async (_, journal) => {
    await thinkAloud(journal, "a");
    await thinkAloud(journal, "b");
    await journal.record("c", { type: "done", output: "c" }, { rows: [says("c")] });
    seen.push(await keys("aloud"), await saidBy("aloud"));
    await thinkAloud(journal, "d");
    return { type: "done", result: null };
  });
  await ended(tests.fresh.store, "aloud");
  expect(seen).toEqual([["a", "b", "c"], ["a b c"]]);
  expect(await keys("aloud")).toEqual(["a", "b", "c"]);
  expect(await saidBy("aloud")).toEqual(["a b c", "d"]);
});

test("rows that wait are there a moment later, with a log line, a sub-run and a wait", async () => {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const child: Kind = { advance: async () => ({ type: "done", result: null }) };
  const parent: Kind = {
    async advance(execution, journal) {
      if (journal.steps.has("child")) return { type: "done", result: null };
      await thinkAloud(journal, "alone");
      await gone;
      await thinkAloud(journal, "logged");
      await journal.log(["line"]);
      await thinkAloud(journal, "before");
      await journal.spawn("child", { ...startOf(`${execution.id}/child`, []), kind: "child" });
      await thinkAloud(journal, "waits");
      return { type: "waiting" };
    },
  };
  const engine = await tests.working({ scripted: parent, child }, 2);
  await engine.starting((_, start) => start(startOf("moment", [])));
  await until("it is there", async () => (await saidBy("moment")).length === 1);
  go();
  expect(await ended(tests.fresh.store, "moment")).toMatchObject({ state: "done" });
  expect((await saidBy("moment")).join(" ")).toBe("alone logged before waits");
});

test("S-03: of a worker that has lost its execution, and does not know, no row is written with the end", async () => {
  const engine = await run("taken", async (_, journal) => {
    // Taken first: what is repeatable is written by itself once it has waited for long enough.
    await takeOver(tests.fresh.store, "taken");
    await thinkAloud(journal, "zombie");
    return { type: "done", result: "zombie" };
  });
  await until("it is taken", async () => {
    const found = await tests.fresh.store.pool.query("select from executions where owner = 'another'");
    return found.rows.length === 1;
  });
  // Its end has been tried by then.
  await engine.stop({ graceMs: 10_000 });
  expect(await readExecution(tests.fresh.store.db, "taken")).toMatchObject({ state: "running" });
  expect([await saidBy("taken"), await log("taken")]).toEqual([[], []]);
});

test("what could not be written with the end is written before the next try, and not done again", async () => {
  const done: string[] = [];
  let tries = 0;
  const kind: Kind = {
    async advance(_, journal) {
      if (!journal.steps.has("dear")) done.push("dear");
      await thinkAloud(journal, "dear");
      return { type: "done", result: null };
    },
    async ended() {
      if (tries++ === 0) throw new Error("not now");
    },
  };
  const engine = await tests.working({ scripted: kind }, 2);
  await engine.starting((_, start) => start(startOf("dear", [])));
  await until("it lies in the queue", async () => tries === 1 && (await isQueued("dear")));
  await isDue(tests.fresh.store, "dear");
  expect(await ended(tests.fresh.store, "dear")).toMatchObject({ state: "done" });
  expect(done).toEqual(["dear"]);
  expect([await saidBy("dear"), await log("dear")]).toEqual([["dear"], ["dear"]]);
});
