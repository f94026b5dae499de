import { sql } from "kysely";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { databaseProxy } from "../../testing/database-proxy.ts";
import { ended, expireLeases, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog, readSteps } from "../../testing/executions.ts";
import { type Script, scriptedKind } from "../../testing/scripted-kind.ts";
import { about, foresee } from "../../testing/speculation.ts";
import { until } from "../../testing/until.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import { connectStore } from "../store/store.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();
beforeAll(async () => {
  // Notes in which state each one is written, and in which transaction.
  await tests.fresh.store.pool.query(`
    create table written (id text, state text, at bigint default txid_current());
    create function note() returns trigger language plpgsql as $$
    begin insert into written (id, state) values (new.id, new.state); return null; end $$;
    create trigger note after insert or update on executions for each row execute function note();
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`);
});

const db = () => tests.fresh.store.db;
const find = (id: string) => readExecution(db(), id);
const log = (id: string) => readLog(db(), id);
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);
const think: Script = [{ do: "think" }];
async function written(...ids: string[]): Promise<{ states: string[]; transactions: number }> {
  const { rows } = await tests.fresh.store.pool.query<{ state: string; at: string }>(
    "select state, at from written where id = any($1) order by at",
    [ids],
  );
  return { states: rows.map(({ state }) => state), transactions: new Set(rows.map(({ at }) => at)).size };
}

/** Lets nothing in that this is true of, until it is called. */
async function refusing(name: string, condition: string): Promise<() => Promise<unknown>> {
  const { pool } = tests.fresh.store;
  await pool.query(
    `create trigger ${name} before insert on executions for each row when (${condition}) execute function refuse()`,
  );
  return () => pool.query(`drop trigger ${name} on executions`);
}

/** Which step of which execution was done, each time. */
function ledger() {
  const effects: string[] = [];
  const kind = scriptedKind({ after: (id, key) => void effects.push(`${id} ${key}`) }, true);
  return { effects, kind };
}

test("what needs nothing from outside is written once, ended: whoever asks right after the answer sees its end and its log", async () => {
  const engine = await tests.working({ scripted: scriptedKind({}, true) }, 40);
  await foresee(tests.fresh.store, engine, "once");
  expect((await written("once-before")).states).toEqual(["running", "done"]);
  const before = new Date();
  const ids = idsOf("once", 8);
  await Promise.all(ids.map((id) => engine.launch(about("once", id, think))));
  for (const id of ids) {
    const execution = await find(id);
    expect(execution).toMatchObject({ state: "done", result: 1, revision: 1, logCount: 2 });
    expect(await log(id)).toEqual(["step 0", "done"]);
    const times = [execution?.createdAt, execution?.startedAt, execution?.finishedAt].map(Number);
    expect(times).toEqual(times.toSorted());
    expect(times[0]).toBeGreaterThanOrEqual(before.getTime());
  }
  expect(await written(...ids)).toEqual({ states: Array(8).fill("done"), transactions: 1 });
});

test.each([
  ["done", think],
  ["failed", [{ do: "think" }, { do: "fail" }]],
] as const)(
  "a run that is %s with its start is what it would be after it, but for its times",
  async (state, script) => {
    const kind = scriptedKind({}, true);
    const saying: Kind = {
      ...kind,
      async advance(execution, journal) {
        await journal.record(
          "said",
          { type: "done", output: null },
          { log: [JSON.stringify(execution.input)], isRepeatable: true },
        );
        return kind.advance(execution, journal);
      },
    };
    const engine = await tests.working({ scripted: saying }, 4);
    // With what the database cannot hold, and in an order of its own.
    const input = { z: "\u0000 \ud800 é", script, a: [null, "\n"] };
    const start = (id: string) => ({ ...about(`same-${state}`, id, script), input });
    const ids = [`${state}-after`, `${state}-with`];
    for (const id of ids) {
      await engine.launch(start(id));
      expect(await ended(tests.fresh.store, id)).toMatchObject({ state });
    }
    const { states } = await written(`${state}-with`);
    // What fails keeps its steps, so its start is written first.
    if (state === "done") expect(states).toEqual([state]);
    else expect(states.at(-1)).toBe(state);
    const { rows } = await tests.fresh.store.pool.query(
      `select to_jsonb(e) - array['id', 'root_id', 'created_at', 'started_at', 'finished_at', 'queued_at', 'has_place'] as whole,
            input::text, (select json_agg(l.seq || ' ' || l.text order by seq) from log_lines l where execution_id = id) as log
       from executions e where id = any($1) order by id`,
      [ids],
    );
    expect(rows[1]).toEqual(rows[0]);
    const [after, withIt] = await Promise.all(ids.map((id) => readSteps(db(), id)));
    expect(withIt).toEqual(after);
    expect(withIt?.map((step) => step.key) ?? []).toEqual(state === "done" ? [] : ["0", "said"]);
  },
);

test("rows of a start are there with it, whether it has ended or not", async () => {
  const { pool } = tests.fresh.store;
  await pool.query("create table opened (id text primary key, at bigint default txid_current())");
  const write = (rows: readonly JsonValue[]) =>
    sql`opened_rows as (insert into opened (id) select * from json_array_elements_text(${toJson(rows)}::json))`;
  const engine = await tests.working({ scripted: scriptedKind({}, true) });
  await foresee(tests.fresh.store, engine, "rows");
  const starts = [about("rows", "rows-ended", think), about("rows", "rows-goes-on", [{ do: "effect" }])];
  await Promise.all(starts.map((start) => engine.launch(start, { write, row: start.id })));
  const { rows } = await pool.query("select id, at from opened order by id");
  expect(rows.map(({ id }) => id)).toEqual(["rows-ended", "rows-goes-on"]);
  expect(new Set(rows.map(({ at }) => at)).size).toBe(1);
  expect(await find("rows-ended")).toMatchObject({ state: "done" });
  expect(await ended(tests.fresh.store, "rows-goes-on")).toMatchObject({ state: "done" });
});

test("what does something outside waits for its start, and goes on from where it was", async () => {
  const done: string[] = [];
  const kind = scriptedKind(
    {
      async before(id, key) {
        done.push(`${key} ${(await find(id))?.state}`);
      },
    },
    true,
  );
  let begun = 0;
  const counting: Kind = {
    ...kind,
    advance(execution, journal) {
      begun++;
      return kind.advance(execution, journal);
    },
  };
  const engine = await tests.working({ scripted: counting });
  await foresee(tests.fresh.store, engine, "acts");
  begun = 0;
  await engine.launch(about("acts", "acts", [...think, { do: "effect" }, ...think]));
  expect(await ended(tests.fresh.store, "acts")).toMatchObject({ state: "done", result: 3 });
  expect(done).toEqual(["1 running"]);
  expect(await log("acts")).toEqual(["step 0", "step 1", "step 2", "done"]);
  expect(begun).toBe(1);
});

test("of a start that cannot be written nothing has happened outside", async () => {
  const { effects, kind } = ledger();
  const engine = await tests.working({ scripted: kind });
  await foresee(tests.fresh.store, engine, "refused");
  const allow = await refusing("refuse_start", "new.id like 'refused%'");
  const acts: Script = [{ do: "effect" }, ...think];
  const starts = [
    about("refused", "refused0", acts),
    about("refused", "refused1", think),
    about("refused", "beside-refused", acts),
  ];
  const outcomes = await Promise.allSettled(starts.map((start) => engine.launch(start)));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  await ended(tests.fresh.store, "beside-refused");
  await allow();
  expect(effects).toEqual(["beside-refused 0"]);
  for (const id of ["refused0", "refused1"]) {
    expect(await find(id)).toBeUndefined();
    expect(await log(id)).toEqual([]);
  }
});

test("an id that is there already is left alone, also in the same moment, and nothing is done for it", async () => {
  const { effects, kind } = ledger();
  const engine = await tests.working({ scripted: kind }, 20);
  await foresee(tests.fresh.store, engine, "there");
  const together = ["there", "there", "beside-there"];
  await Promise.all(together.map((id) => engine.launch(about("there", id, think))));
  // It costs the others of its moment nothing.
  expect(await written("there", "beside-there")).toEqual({ states: ["done", "done"], transactions: 1 });
  // Of one moment the first counts, also where the other has not ended.
  await Promise.all([
    engine.launch(about("there", "twice", think)),
    engine.launch(about("elsewhere", "twice", [{ do: "effect" }])),
  ]);
  expect(await written("twice")).toEqual({ states: ["done"], transactions: 1 });
  const before = await find("there");
  await engine.launch(about("there", "there", think));
  await engine.launch(about("there", "there", [{ do: "effect" }]));
  await engine.launch(about("after-there", "after-there", [{ do: "effect" }]));
  await ended(tests.fresh.store, "after-there");
  expect(effects).toEqual(["after-there 0"]);
  expect(await find("there")).toEqual(before);
  expect(await log("there")).toEqual(["step 0", "done"]);
});

test("an end that cannot be written refuses no start: the run is there, and ends when it can", async () => {
  const engine = await tests.working({ scripted: scriptedKind({}, true) }, 20);
  await foresee(tests.fresh.store, engine, "end");
  const allow = await refusing("refuse_end", "new.id = 'end1' and new.state = 'done'");
  await Promise.all(idsOf("end", 3).map((id) => engine.launch(about("end", id, think))));
  await allow();
  for (const id of idsOf("end", 3)) {
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
    expect(await log(id)).toEqual(["step 0", "done"]);
  }
  expect((await written("end0", "end2")).states).toEqual(["done", "done"]);
  expect((await written("end1")).states).toEqual(["running", "done"]);
});

test("what ended before its start takes no place of its team: a full team starts it, and nobody else waits for it", async () => {
  const full = { teamId: "team_full" };
  const { effects, kind } = ledger();
  const engine = await tests.working({ scripted: kind }, 400);
  await foresee(tests.fresh.store, engine, "full");
  const waiting = idsOf("full-waits", 50);
  const wait: Script = [{ do: "wait", ms: 3_600_000 }];
  await Promise.all(waiting.map((id) => engine.launch({ ...about("waits", id, wait), ...full })));
  for (const id of waiting) await until(`${id} waits`, async () => (await find(id))?.state === "waiting");
  const ids = idsOf("full", 100);
  const acts = about("full", "full-acts", [...think, { do: "effect" }]);
  await Promise.all([
    ...ids.map((id) => engine.launch({ ...about("full", id, think), ...full })),
    engine.launch({ ...acts, ...full }),
    engine.launch({ ...acts, id: "others-act" }),
  ]);
  for (const id of ids) expect(await find(id)).toMatchObject({ state: "done" });
  expect((await written(...ids)).states).toEqual(Array(100).fill("done"));
  expect(await ended(tests.fresh.store, "others-act")).toMatchObject({ state: "done" });
  // What it did ahead is forgotten, and done when its turn has come.
  await until("it is told to wait", async () => (await log("full-acts")).length === 1);
  expect(effects).toEqual(["others-act 1"]);
  for (const id of waiting) await engine.kill(id);
  expect(await ended(tests.fresh.store, "full-acts")).toMatchObject({ state: "done" });
  expect((await log("full-acts")).slice(1)).toEqual(["step 0", "step 1", "done"]);
  expect(effects).toEqual(["others-act 1", "full-acts 1"]);
});

test("a flood of starts through two processes, each of them twice, ends each once, whether there was room or not", async () => {
  const engines = await Promise.all(
    [4, 4].map((room) => tests.working({ scripted: scriptedKind({}, true) }, room)),
  );
  for (const engine of engines) await foresee(tests.fresh.store, engine, "flood");
  const ids = idsOf("flood", 300);
  await Promise.all(engines.flatMap((engine) => ids.map((id) => engine.launch(about("flood", id, think)))));
  for (const id of ids) {
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: 1 });
    expect(await log(id)).toEqual(["step 0", "done"]);
  }
});

test.each([
  ["before a start is written", "before"],
  ["before it is answered", "answered"],
] as const)(
  "S-05: a connection that breaks %s leaves all of the run or nothing, and no effect of what did not start",
  async (_, when) => {
    const proxy = await databaseProxy(tests.fresh.url);
    const mine = await connectStore({ connectionString: proxy.url }, { log: pino({ level: "silent" }) });
    const { effects, kind } = ledger();
    const engine = testEngine(mine, { scripted: kind });
    await engine.work();
    await foresee(tests.fresh.store, engine, `broken-${when}`);
    const id = `broken-${when}-ends`;
    proxy.breakAt(id, when);
    await expect(engine.launch(about(`broken-${when}`, id, think))).rejects.toThrow();
    if (when === "before") expect(await find(id)).toBeUndefined();
    else {
      expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
      expect(await log(id)).toEqual(["step 0", "done"]);
    }
    const acts = `broken-${when}-acts`;
    proxy.breakAt(acts, when);
    await expect(
      engine.launch(about(`broken-${when}`, acts, [...think, { do: "effect" }])),
    ).rejects.toThrow();
    if (when === "answered") {
      await expireLeases(tests.fresh.store, acts);
      expect(await ended(tests.fresh.store, acts)).toMatchObject({ state: "done" });
      expect(effects).toEqual([`${acts} 1`]);
    } else {
      expect(await find(acts)).toBeUndefined();
      expect(effects).toEqual([]);
    }
    await engine.stop({ graceMs: 0 });
    await mine.close();
    await proxy.close();
  },
  60_000,
);

test("what a process does not come to before it stops goes on elsewhere, and only there", async () => {
  const { effects, kind } = ledger();
  const engine = await tests.working({ scripted: kind });
  await foresee(tests.fresh.store, engine, "stops");
  const start = engine.launch(about("stops", "stops", [...think, { do: "effect" }]));
  await Promise.all([start, engine.stop({ graceMs: 0 })]);
  const there = ledger();
  await tests.working({ scripted: there.kind });
  expect(await ended(tests.fresh.store, "stops")).toMatchObject({ state: "done" });
  expect([...effects, ...there.effects]).toEqual(["stops 1"]);
  expect(await log("stops")).toEqual(["step 0", "step 1", "done"]);
});

test("one place is enough for any number of starts, one after the other", async () => {
  const engine = await tests.working({ scripted: scriptedKind({}, true) }, 2);
  await foresee(tests.fresh.store, engine, "row");
  for (const id of idsOf("row", 12)) {
    await engine.launch(about("row", id, think));
    expect(await find(id)).toMatchObject({ state: "done" });
  }
});

test("what is written without being waited for is there, though the end comes at once", async () => {
  let isLate = false;
  const kind: Kind = {
    isSpeculative: true,
    async advance(_, journal) {
      if (isLate) void journal.log(["late"]).catch(() => undefined);
      return { type: "done", result: null, log: ["end"] };
    },
  };
  const engine = await tests.working({ scripted: kind });
  await foresee(tests.fresh.store, engine, "late");
  isLate = true;
  await engine.launch(about("late", "late", []));
  expect(await ended(tests.fresh.store, "late")).toMatchObject({ state: "done" });
  expect(await log("late")).toEqual(["late", "end"]);
});
