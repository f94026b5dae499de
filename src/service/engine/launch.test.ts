import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, expireLeases, loseAllWorkers, takeOver, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { everReady, witnessQueue } from "../../testing/queue-witness.ts";
import { scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wh-launch-"));
  // Notes which transaction starts and ends each one.
  await tests.fresh.store.pool.query(`
    create table noted (id text, what text, at bigint);
    create function note() returns trigger language plpgsql as $$
    begin
      insert into noted values (new.id, case when tg_op = 'INSERT' then 'start' else 'end' end, txid_current());
      return null;
    end $$;
    create trigger note_start after insert on executions for each row execute function note();
    create trigger note_end after update of finished_at on executions for each row execute function note();`);
  await witnessQueue(tests.fresh.store);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const db = () => tests.fresh.store.db;
const find = (id: string) => readExecution(db(), id);
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);

/** How many transactions did that to them. */
async function transactions(ids: readonly string[], what: "start" | "end"): Promise<number> {
  const { rows } = await tests.fresh.store.pool.query<{ n: string }>(
    "select count(distinct at) as n from noted where id = any($1) and what = $2",
    [ids, what],
  );
  return Number(rows[0]?.n);
}

const queued = (ids: readonly string[]) => everReady(tests.fresh.store, ids);

/** A kind that stays at work until it is let go. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begun: string[] = [];
  const kind: Kind = {
    hasPlace: true,
    async advance({ id }, journal) {
      begun.push(id);
      await opened;
      return { type: "done", result: journal.steps.size, log: [`end of ${id}`] };
    },
  };
  return { kind, open: () => open(), begun };
}

test("starts of one moment are one transaction and begin at once; ends of one moment are one transaction", async () => {
  const { kind, open, begun } = gate();
  const engine = await tests.working({ scripted: kind }, 20);
  const ids = idsOf("one", 8);
  await Promise.all(ids.map((id) => engine.launch(startOf(id, []))));
  for (const id of ids) {
    expect(await find(id)).toMatchObject({ state: "running", startedAt: expect.any(Date) });
  }
  await until("all have begun", () => begun.length === ids.length);
  open();
  for (const id of ids)
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done", result: 0 });
  for (const id of ids) expect(await readLog(db(), id)).toEqual([`end of ${id}`]);
  expect(await transactions(ids, "start")).toBe(1);
  expect(await transactions(ids, "end")).toBe(1);
  expect(await queued(ids)).toEqual([]);
});

/** An id that is longer than an index takes. */
const tooLong = Array.from({ length: 4_000 }, (_, n) =>
  String.fromCharCode(0x4e00 + ((n * 7919) % 9_000)),
).join("");

test("a start that cannot be written fails alone: the others of its moment are there", async () => {
  const engine = await tests.working({ scripted: scriptedKind() }, 20);
  const ids = ["beside0", tooLong, "beside1"];
  const outcomes = await Promise.allSettled(ids.map((id) => engine.launch(startOf(id, [{ do: "effect" }]))));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  for (const id of ["beside0", "beside1"]) {
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
    expect(await readLog(db(), id)).toEqual(["step 0", "done"]);
  }
  expect(await find(tooLong)).toBeUndefined();
});

test("starts that cannot be written take no room: the next one begins here at once", async () => {
  const { kind, open } = gate();
  const engine = await tests.working({ scripted: kind }, 2);
  for (let failed = 0; failed < 5; failed++)
    await expect(engine.launch(startOf(tooLong, []))).rejects.toThrow();
  await engine.launch(startOf("room-is-free", []));
  expect(await find("room-is-free")).toMatchObject({ state: "running" });
  open();
  expect(await ended(tests.fresh.store, "room-is-free")).toMatchObject({ state: "done" });
});

test("rows of a start are there with it, in the statement that starts of its moment share, or neither is", async () => {
  const { pool } = tests.fresh.store;
  await pool.query("create table opened (id text primary key, at bigint default txid_current())");
  const write = (rows: readonly JsonValue[]) =>
    sql`written as (insert into opened (id) select * from json_array_elements_text(${toJson(rows)}::json))`;
  const { kind, open, begun } = gate();
  const engine = await tests.working({ scripted: kind }, 20);
  const launch = (ids: readonly string[], rowOf: (id: string) => string) =>
    Promise.allSettled(ids.map((id) => engine.launch(startOf(id, []), { write, row: rowOf(id) })));
  const ids = idsOf("with-rows", 6);
  await launch(ids, (id) => id);
  await until("all have begun", () => begun.length === ids.length);
  const { rows } = await pool.query("select id, at from opened order by id");
  expect(rows.map((row) => row.id)).toEqual(ids);
  expect(new Set(rows.map((row) => row.at)).size).toBe(1);
  expect(await transactions(ids, "start")).toBe(1);
  // The row of the second is there already.
  const more = idsOf("beside-rows", 3);
  const outcomes = await launch(more, (id) => (id === "beside-rows1" ? "with-rows0" : id));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await find("beside-rows1")).toBeUndefined();
  open();
  for (const id of [...ids, "beside-rows0", "beside-rows2"])
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
});

test("an id that is there already is left alone, and takes no room", async () => {
  const engine = await tests.working({ scripted: scriptedKind() }, 2);
  for (let n = 0; n < 3; n++) await engine.launch(startOf("same", [{ do: "effect" }]));
  expect(await ended(tests.fresh.store, "same")).toMatchObject({ state: "done" });
  await engine.launch(startOf("after-same", []));
  expect(await ended(tests.fresh.store, "after-same")).toMatchObject({ state: "done" });
  expect(await readLog(db(), "same")).toEqual(["step 0", "done"]);
});

/** Rows of an end in the table `told`. */
const tell = (rows: readonly JsonValue[]) => sql`told_of as (
  insert into told (id, how) select recorded.execution_id, how
    from recorded join json_to_recordset(${toJson(rows)}::json) as told (execution_id text, how text) using (execution_id))`;

test("what belongs to the ends of one moment is written in one statement; what cannot be written keeps no other back", async () => {
  const { store } = tests.fresh;
  await store.pool.query(
    "create table told (id text constraint room check (id <> 'tell2'), how text, at bigint default txid_current())",
  );
  const { kind, open, begun } = gate();
  const telling: Kind = {
    ...kind,
    rowsOfEnd: (_, end) => [{ write: tell, row: { how: end.type } }],
  };
  const engine = await tests.working({ scripted: telling }, 20);
  const ids = idsOf("told", 6);
  const ours = ids.filter((id) => id !== "told4");
  await Promise.all(ids.map((id) => engine.launch(startOf(id, []))));
  await until("all have begun", () => begun.length === ids.length);
  await takeOver(store, "told4");
  open();
  for (const id of ours) expect(await ended(store, id)).toMatchObject({ state: "done" });
  const told = () => store.pool.query("select id, how, at from told order by id").then(({ rows }) => rows);
  const first = await told();
  const { rows: alike } = await store.pool.query(
    "select distinct told.cmin = executions.cmin as one_statement from told join executions using (id)",
  );
  expect(alike).toEqual([{ one_statement: true }]);
  expect(first.map((row) => [row.id, row.how])).toEqual(ours.map((id) => [id, "done"]));
  expect(new Set(first.map((row) => row.at)).size).toBe(1);
  const more = idsOf("tell", 5);
  await Promise.all(more.map((id) => engine.launch(startOf(id, []))));
  for (const id of more.filter((one) => one !== "tell2"))
    expect(await ended(store, id)).toMatchObject({ state: "done" });
  expect(await told()).toHaveLength(ours.length + more.length - 1);
  await store.pool.query("alter table told drop constraint room");
  await expireLeases(store, "told4");
  for (const id of ["tell2", "told4"]) expect(await ended(store, id)).toMatchObject({ state: "done" });
  expect((await told()).map((row) => row.id)).toEqual([...more, ...ids]);
});

test("S-301: what one statement cannot write is written with the end where there is something, which keeps no other back", async () => {
  const { store } = tests.fresh;
  await store.pool.query("create table kept (id text constraint room check (id <> 'keep2'), how text)");
  const { kind, open, begun } = gate();
  const keeping: Kind = {
    ...kind,
    async ended(tx, { id }, end) {
      await sql`insert into kept (id, how) values (${id}, ${end.type})`.execute(tx);
    },
    endsApart: sql`executions.id in ('keep1', 'keep2', 'keep3')`,
  };
  const engine = await tests.working({ scripted: keeping }, 20);
  const ids = idsOf("keep", 6);
  await Promise.all(ids.map((id) => engine.launch(startOf(id, []))));
  await until("all have begun", () => begun.length === ids.length);
  open();
  for (const id of ids.filter((one) => one !== "keep2"))
    expect(await ended(store, id)).toMatchObject({ state: "done" });
  await until("it has been tried", async () => (await find("keep2"))?.state !== "running");
  expect(await transactions(["keep0", "keep4", "keep5"], "end")).toBe(1);
  await store.pool.query("alter table kept drop constraint room");
  expect(await ended(store, "keep2")).toMatchObject({ state: "done" });
  const { rows } = await store.pool.query("select id, how from kept order by id");
  expect(rows).toEqual(["keep1", "keep2", "keep3"].map((id) => ({ id, how: "done" })));
  for (const id of ids) expect(await readLog(db(), id)).toEqual([`end of ${id}`]);
});

test("an end that cannot be written, or is no longer its worker's, takes no other of its moment with it", async () => {
  const { store } = tests.fresh;
  await store.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'no room'; end $$;
    create trigger refuse before update on executions for each row
      when (new.id = 'group2' and new.state = 'done') execute function refuse()`);
  const { kind, open, begun } = gate();
  const first = await tests.working({ scripted: kind }, 20);
  const ids = idsOf("group", 6);
  await Promise.all(ids.map((id) => first.launch(startOf(id, []))));
  await until("all have begun", () => begun.length === ids.length);
  await takeOver(store, "group4");
  open();
  for (const id of ["group0", "group1", "group3", "group5"]) {
    expect(await ended(store, id)).toMatchObject({ state: "done" });
    expect(await readLog(db(), id)).toEqual([`end of ${id}`]);
  }
  expect(await find("group4")).toMatchObject({ state: "running", logCount: 0 });
  await store.pool.query("drop trigger refuse on executions");
  await expireLeases(store, "group4");
  expect(await ended(store, "group2")).toMatchObject({ state: "done" });
  expect(await readLog(db(), "group2")).toEqual(["end of group2"]);
  expect(await ended(store, "group4")).toMatchObject({ state: "done" });
  expect(await readLog(db(), "group4")).toEqual(["end of group4"]);
});

test("of a team fifty begin, also when more are started in the same moment; the others wait, say so, and go on in order", async () => {
  const { kind, open, begun } = gate();
  const engine = await tests.working({ scripted: kind }, 200);
  const ids = idsOf("many", 60);
  await Promise.all(ids.map((id) => engine.launch({ ...startOf(id, []), teamId: "team_many" })));
  const waiting = ids.slice(50);
  for (const id of waiting) {
    await until(`${id} is held`, async () => (await readLog(db(), id)).length === 1);
    expect((await readLog(db(), id))[0]).toMatch(/waiting: 50 runs and conversations of this team/);
  }
  expect(begun).toHaveLength(50);
  for (const id of ids.slice(0, 50)) expect(await find(id)).toMatchObject({ state: "running" });
  open();
  for (const id of ids) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect(begun.slice(50).sort()).toEqual([...waiting].sort());
}, 30_000);

/** A worker whose own half is busy, with this one in line: room was free just now, and it has begun claimed. */
async function inLine(name: string) {
  const { kind, open, begun } = gate();
  const quick: Kind = { advance: async () => ({ type: "done", result: null }) };
  const engine = await tests.working({ scripted: kind, quick }, 4);
  for (const id of idsOf(`${name}-busy`, 2)) await engine.launch(startOf(id, []));
  await until("two have begun", () => begun.length === 2);
  for (let n = 0; ; n++) {
    await engine.start(db(), { ...startOf(`${name}-quick${n}`, []), kind: "quick" });
    await ended(tests.fresh.store, `${name}-quick${n}`);
    const id = `${name}-line${n}`;
    await engine.launch(startOf(id, []));
    // Where this machine was slow it went to the queue, like anything that comes when all has long been busy.
    if ((await find(id))?.startedAt != null && (await queued([id])).length === 0 && !begun.includes(id))
      return { engine, id, open, begun };
    await engine.kill(id);
  }
}

test("what is in line for long goes to whoever has room, and begins once", async () => {
  const { id, open, begun } = await inLine("long");
  await until("it has begun", () => begun.includes(id));
  expect(await queued([id])).toEqual([id]);
  open();
  expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect(begun.filter((one) => one === id)).toHaveLength(1);
});

test("what is in line when its process stops goes on elsewhere at once", async () => {
  const { engine, id, open, begun } = await inLine("stops");
  await engine.stop({ graceMs: 0 });
  expect(begun).not.toContain(id);
  expect(await find(id)).toMatchObject({ state: "queued" });
  const other = gate();
  other.open();
  await tests.working({ scripted: other.kind }, 4);
  expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect(other.begun).toContain(id);
  open();
});

test("S-12: what is killed while it is in line never begins", async () => {
  const { engine, id, open, begun } = await inLine("killed");
  expect(await engine.kill(id)).toEqual({ killed: true, ids: [id] });
  open();
  for (const busy of idsOf("killed-busy", 2)) await ended(tests.fresh.store, busy);
  await engine.launch(startOf("killed-after", []));
  await ended(tests.fresh.store, "killed-after");
  expect(await find(id)).toMatchObject({ state: "terminated", logCount: 1 });
  expect(begun).not.toContain(id);
});

test("S-02: a process that dies between the commit of its starts and their answers leaves runs that others take over", async () => {
  const ledger = join(folder, "started");
  const starter = await tests.workerProcess({
    ...{ ledger, concurrency: 40, diesAt: "started", starts: 12, together: true },
  });
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, "exit");
  const ids = idsOf("mine", 12);
  expect(await transactions(ids, "start")).toBe(1);
  for (const id of ids) expect(await find(id)).toMatchObject({ state: "running", logCount: 0 });
  const { rows } = await tests.fresh.store.pool.query<{ left: number }>(
    "select max(extract(epoch from lease - now()))::float8 as left from executions where id like 'mine%'",
  );
  expect(rows[0]?.left).toBeLessThanOrEqual(10);
  await loseAllWorkers(tests.fresh.store);
  await tests.working({ scripted: scriptedKind() }, 8);
  for (const id of ids) {
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
    expect(await readLog(db(), id)).toEqual(["step 0", "done"]);
  }
}, 60_000);

test("what a process starts that does not work itself goes to others", async () => {
  await tests.working({ scripted: scriptedKind() });
  await testEngine(tests.fresh.store, {}).launch(startOf("elsewhere", []));
  expect(await queued(["elsewhere"])).toEqual(["elsewhere"]);
  expect(await ended(tests.fresh.store, "elsewhere")).toMatchObject({ state: "done" });
});
