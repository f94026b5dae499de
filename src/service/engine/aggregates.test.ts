import { sql } from "kysely";
import { expect, test } from "vitest";
import { testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { scheduleDatabase } from "../../testing/schedules/database.ts";
import { type Script, scriptedKind } from "../../testing/scripted-kind.ts";
import { about, foresee } from "../../testing/speculation.ts";
import { putOffLimit } from "./execution-limits.ts";
import { readExecution } from "./queries.ts";
import { sweep } from "./sweep.ts";

const tests = engineTests();
const hour = 3_600_000;
const think: Script = [{ do: "think" }];

test.each([
  ["ahead", hour],
  ["behind", -hour],
])(
  "a run that has ended before it is stored is not dated by the clock of a process that is an hour %s",
  async (way, by) => {
    const { store } = tests.fresh;
    const clock = { now: () => new Date(Date.now() + by) };
    const engine = testEngine(store, { scripted: scriptedKind({}, true) }, { clock });
    await engine.work();
    await foresee(store, engine, way);
    const before = Date.now();
    await engine.launch(about(way, `${way}-run`, think));
    const run = await readExecution(store.db, `${way}-run`);
    await engine.stop({ graceMs: 0 });
    // Written once, as ended.
    expect(run).toMatchObject({ state: "done", revision: 1 });
    for (const at of [run?.createdAt, run?.startedAt]) {
      expect(Number(at)).toBeGreaterThanOrEqual(before - 1_000);
      expect(Number(at)).toBeLessThanOrEqual(Date.now());
    }
  },
);

/** A step that waits for a child with a limit on its own time. @returns by how many seconds it is put off */
async function putOff(
  id: string,
  child: { readonly state: "queued" | "running"; readonly age: number; readonly waited?: number },
  limit: number,
): Promise<number> {
  const { state, age, waited = 0 } = child;
  const ms = await tests.fresh.store.db.transaction().execute(async (tx) => {
    await sql`
      insert into executions (id, kind, root_id, depth, subject_id, input, state, owner, lease, created_at, started_at, waited_ms)
      values (${id}, 'parent', ${id}, 0, 's', '{}', 'waiting', null, null, now(), now(), 0),
             (${`${id}-child`}, 'child', ${`${id}-child`}, 0, 's', '{}', ${state},
              ${state === "running" ? "worker" : null}, ${state === "running" ? sql`now() + interval '1 hour'` : null},
              now() - make_interval(secs => ${age}),
              ${state === "running" ? sql`now() - make_interval(secs => ${age})` : null}, ${waited * 1_000})`.execute(
      tx,
    );
    await sql`
      insert into steps (execution_id, key, state, wake_at, limited_id, limit_ms)
      values (${id}, 'limit', 'waiting', now(), ${`${id}-child`}, ${limit * 1_000})`.execute(tx);
    return await putOffLimit(tx, id, "limit");
  });
  return (ms ?? Number.NaN) / 1_000;
}

test.each([
  ["is as long as its time", "all", { state: "queued", age: 0 }, 600, 600],
  ["comes once a second while it is new", "new", { state: "queued", age: 0 }, 0.1, 1],
  ["comes after a tenth of its age", "older", { state: "queued", age: 50 }, 0.1, 5],
  ["comes every ten seconds when it is old", "old", { state: "queued", age: 5_000 }, 0.1, 10],
  ["is what it has left when it works", "works", { state: "running", age: 20, waited: 5 }, 60, 45],
  [
    "is no longer than its time, however long it waited",
    "waited",
    { state: "running", age: 1, waited: 99 },
    60,
    60,
  ],
] as const)(
  "the look at a limit on the own time of what a run has started %s",
  async (_, id, child, limit, expected) => {
    expect(await putOff(id, child, limit)).toBeCloseTo(expected, 0);
  },
);

test("S-09: when the clock of the database is turned back, nothing overtakes what was queued before it, and a pause is kept", async () => {
  const database = await scheduleDatabase();
  const store = await database.fresh.another();
  await sweep(store.db);
  const minutesFromNow = { first: -70, second: -30, pauses: 0.25 };
  for (const [id, minutes] of Object.entries(minutesFromNow))
    await sql`
      insert into executions (id, kind, root_id, depth, subject_id, input, queued_at)
      values (${id}, 'none', ${id}, 0, 's', '{}', now() + make_interval(secs => ${minutes * 60}))`.execute(
      store.db,
    );
  await database.jump(-hour);
  await sweep(store.db);
  const { rows } = await sql<{ id: string; ahead: number }>`
    select id, extract(epoch from queued_at - now())::float8 as ahead from executions order by queued_at`.execute(
    store.db,
  );
  expect(rows.map(({ id }) => id)).toEqual(["first", "second", "pauses"]);
  expect(rows[2]?.ahead).toBeLessThan(16);
  expect(rows[2]?.ahead).toBeGreaterThan(1);
  await store.close();
  await database.fresh.drop();
});
