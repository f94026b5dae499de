import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { deferred } from "../../testing/deferred.ts";
import { ended, expireLeases, loseAllWorkers, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { scheduleDatabase } from "../../testing/schedules/database.ts";
import { type Script, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { engineLine } from "./advance.ts";
import { leaseSeconds } from "./claim.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";
import { sweep } from "./sweep.ts";

const tests = engineTests();
afterEach(() => {
  vi.useRealTimers();
});

const hour = 3_600_000;
const script: Script = [{ do: "effect" }, { do: "effect" }];

/** When the lease of an execution ends, and how many seconds that is from now, by the database's clock. */
async function leaseOf(id: string) {
  const { rows } = await tests.fresh.store.pool.query<{ lease: string; left: number }>(
    `select lease::text, extract(epoch from lease - clock_timestamp())::float8 as left from executions where id = $1`,
    [id],
  );
  return rows[0] ?? { lease: "", left: Number.NaN };
}

test.each([
  ["forwards", hour],
  ["backwards", -hour],
])(
  "S-09: when the clock of a machine jumps an hour %s, leases stay as long as they are and nothing is done twice",
  async (way, jump) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { store } = tests.fresh;
    const ledger: string[] = [];
    const lefts: number[] = [];
    const kind = scriptedKind({
      async before(id, key) {
        ledger.push(key);
        if (key !== "1") return;
        vi.setSystemTime(Date.now() + jump);
        const { lease } = await leaseOf(id);
        await until("the next heartbeat", async () => (await leaseOf(id)).lease !== lease);
        lefts.push((await leaseOf(id)).left);
        // What lost its lease is handed out now, and there is somebody to take it.
        await sweep(store.db);
      },
    });
    const first = await tests.working({ scripted: kind }, 1);
    await tests.working({ scripted: kind }, 1);
    await first.start(store.db, startOf(`jumps-${way}`, script));
    expect(await ended(store, `jumps-${way}`)).toMatchObject({ state: "done", result: 2 });
    expect(ledger).toEqual(["0", "1"]);
    for (const left of lefts) expect(left).toBeGreaterThan(0);
    for (const left of lefts) expect(left).toBeLessThanOrEqual(leaseSeconds);
    expect(lefts).toHaveLength(1);
  },
);

test("S-09: where the next process has an earlier time, the log goes on at its last line, and so does the end of a kill", async () => {
  const { store } = tests.fresh;
  const early = { now: () => new Date(Date.now() - 24 * hour) };
  const kindOf = (clock: { now(): Date }, hold: Promise<void>): Kind => ({
    async advance(_, journal) {
      await journal.log([engineLine(clock, "here")]);
      await journal.record(
        `${journal.steps.size}`,
        { type: "done", output: 1 },
        { log: [engineLine(clock, "a step")] },
      );
      await hold;
      return { type: "done", result: 1, log: [engineLine(clock, "over")] };
    },
  });
  const first = testEngine(store, { slow: kindOf({ now: () => new Date() }, new Promise(() => {})) });
  await first.work();
  for (const id of ["goes-on", "killed"]) await first.start(store.db, { ...startOf(id, []), kind: "slow" });
  const written = async (id: string) => (await readLog(store.db, id)).length;
  for (const id of ["goes-on", "killed"])
    await until(`${id} has spoken`, async () => (await written(id)) === 2);
  const second = testEngine(store, { slow: kindOf(early, Promise.resolve()) }, { clock: early });
  await second.kill("killed");
  await first.stop({ graceMs: 0 });
  await loseAllWorkers(store);
  await second.work();
  expect(await ended(store, "goes-on")).toMatchObject({ state: "done" });
  await second.stop({ graceMs: 0 });
  const said = {
    "goes-on": ["here", "a step", "here", "a step", "over"],
    killed: ["here", "a step", "killed"],
  };
  for (const [id, texts] of Object.entries(said)) {
    const lines = await readLog(store.db, id);
    expect(lines.map((line) => line.slice(31))).toEqual(texts);
    const dates = lines.map((line) => line.slice(0, 24));
    expect(dates).toEqual([...dates].sort());
  }
});

/** Says something at each step, and at its end. */
const speaking = (clock: { now(): Date }, hold: Promise<void>): Kind => ({
  hasPlace: true,
  async advance(_, journal) {
    await journal.record("0", { type: "done", output: 1 }, { log: [engineLine(clock, "a step")] });
    await hold;
    return { type: "done", result: 1, log: [engineLine(clock, "over")] };
  },
});
const now = { now: () => new Date() };
const ahead = { now: () => new Date(Date.now() + 24 * hour) };
const datesOf = (lines: readonly string[]) => lines.map((line) => line.slice(0, 24));

test("S-350: what was told to wait by a clock that is ahead says nothing that is dated before that", async () => {
  const { store } = tests.fresh;
  await store.pool.query("insert into running_limits values ('team:team_told', 1)");
  const first = testEngine(store, { slow: speaking(ahead, new Promise(() => {})) }, { clock: ahead });
  await first.work();
  for (const id of ["has-the-place", "told"])
    await first.start(store.db, { ...startOf(id, []), kind: "slow", teamId: "team_told" });
  await until("one is told to wait", async () => (await readLog(store.db, "told")).length === 1);
  await first.stop({ graceMs: 0 });
  const second = testEngine(store, { slow: speaking(now, Promise.resolve()) });
  await second.work();
  expect(await ended(store, "told")).toMatchObject({ state: "done" });
  await second.stop({ graceMs: 0 });
  const lines = await readLog(store.db, "told");
  expect(lines.map((line) => line.slice(25, 38))).toEqual(["[run] waiting", "[run] a step", "[run] over"]);
  expect(datesOf(lines)).toEqual(datesOf(lines).sort());
});

test("S-351: what is given up says so after all that its log says already, also where that was said by a clock that is ahead", async () => {
  const { store } = tests.fresh;
  const first = testEngine(store, { slow: speaking(ahead, new Promise(() => {})) }, { clock: ahead });
  await first.work();
  await first.start(store.db, { ...startOf("given-up", []), kind: "slow" });
  await until("it has spoken", async () => (await readLog(store.db, "given-up")).length === 1);
  await first.stop({ graceMs: 0 });
  await store.pool.query("update executions set attempts = 5 where id = 'given-up'");
  const second = testEngine(store, { slow: speaking(now, Promise.resolve()) });
  await second.work();
  expect(await ended(store, "given-up")).toMatchObject({ state: "failed" });
  await second.stop({ graceMs: 0 });
  const lines = await readLog(store.db, "given-up");
  expect(lines.map((line) => line.slice(25, 37))).toEqual(["[run] a step", "[run] failed"]);
  expect(datesOf(lines)).toEqual(datesOf(lines).sort());
});

test.each([
  ["forwards", 24 * hour],
  ["back", -24 * hour],
])(
  "S-09: when the clock of the database is turned %s a day, what waits, lies and was left goes on",
  async (_, jump) => {
    const database = await scheduleDatabase();
    const store = await database.fresh.another();
    const engine = testEngine(store, { scripted: scriptedKind() });
    await engine.work();
    const { pool } = store;
    const ids = ["waits", "lies", "left"];
    await until(
      "somebody has seen the time",
      async () => (await pool.query("select from database_time")).rowCount === 1,
    );
    await engine.start(store.db, startOf("waits", [{ do: "wait", ms: 3_000 }, { do: "effect" }]));
    await until("it waits", async () => (await readExecution(store.db, "waits"))?.state === "waiting");
    await store.db.transaction().execute(async (tx) => {
      for (const id of ["lies", "left"]) await engine.start(tx, startOf(id, [{ do: "effect" }]));
      await sql`update executions set queued_at = now() + interval '5 s' where id = 'lies'`.execute(tx);
      await sql`update executions set state = 'running', owner = 'dead', epoch = 1, lease = now() + interval '10 s'
               where id = 'left'`.execute(tx);
    });
    await database.jump(jump);
    await until("the lease is no longer than any", async () => {
      const { rows } = await pool.query<{ ok: boolean }>(
        "select bool_and(coalesce(lease < clock_timestamp() + interval '11 s', true)) as ok from executions",
      );
      return rows[0]?.ok === true;
    });
    await expireLeases(store, "left");
    for (const id of ids) expect(await ended(store, id)).toMatchObject({ state: "done" });
    await engine.stop({ graceMs: 0 });
    await store.close();
    await database.fresh.drop();
  },
);

test("S-338: what was to be served a moment ago is served although its job was dated by a clock that was turned back since", async () => {
  const database = await scheduleDatabase();
  const store = await database.fresh.another();
  const first = testEngine(store, { scripted: scriptedKind() });
  await first.work();
  await first.start(store.db, startOf("due", [{ do: "wait", ms: 60_000 }, { do: "effect" }]));
  await until("it waits", async () => (await readExecution(store.db, "due"))?.state === "waiting");
  await first.stop({ graceMs: 0 });
  await sql`update steps set wake_at = now() - interval '3 s'`.execute(store.db);
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1`.execute(
    store.db,
  );
  await database.jump(24 * hour);
  // It finds that nobody serves it any more.
  await sweep(store.db);
  await database.jump(-24 * hour);
  const second = testEngine(store, { scripted: scriptedKind() });
  await second.work();
  expect(await ended(store, "due", 15_000)).toMatchObject({ state: "done" });
  await second.stop({ graceMs: 0 });
  await store.close();
  await database.fresh.drop();
});

test("S-09: what ends or is killed after the clock of the database was turned back ends no earlier than it was started", async () => {
  const database = await scheduleDatabase();
  const store = await database.fresh.another();
  const held = deferred<void>();
  const engine = testEngine(store, { slow: speaking(now, held.promise) });
  await engine.work();
  const ids = ["ends", "is-killed"];
  for (const id of ids) await engine.start(store.db, { ...startOf(id, []), kind: "slow" });
  for (const id of ids) await until("it is at work", async () => (await readLog(store.db, id)).length === 1);
  await database.jump(-24 * hour);
  await engine.kill("is-killed", "Stopped.");
  held.resolve();
  for (const id of ids) {
    const { createdAt, finishedAt } = await ended(store, id);
    expect(finishedAt?.getTime(), id).toBeGreaterThanOrEqual(createdAt.getTime());
  }
  await engine.stop({ graceMs: 0 });
  await store.close();
  await database.fresh.drop();
});
