import { sql } from "kysely";
import { expect, test } from "vitest";
import { testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { type Claimant, claim } from "./claim.ts";
import { readExecution } from "./queries.ts";
import { sweep } from "./sweep.ts";

const tests = engineTests();
const claimant = (owner: string): Claimant => ({ owner, kinds: ["scripted"], placed: [], heldLine: "held" });

/** Starts one that no engine works on. */
async function queued(id: string): Promise<void> {
  await testEngine(tests.fresh.store, { scripted: scriptedKind() }).start(
    tests.fresh.store.db,
    startOf(id, []),
  );
}

test("S-02: of several who claim the same at the same moment one has it", async () => {
  const { db } = tests.fresh.store;
  await queued("wanted");
  const owners = ["one", "two", "three"];
  const claims = await db.transaction().execute(async (tx) => {
    // All of them have seen that it is free when the first may take it.
    await sql`select pg_advisory_xact_lock(hashtextextended('limit ' || limit_key, 0)) from executions where id = 'wanted'`.execute(
      tx,
    );
    const asked = owners.map((owner) => claim(db, "wanted", claimant(owner)));
    await until("all wait for their turn", async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`.execute(tx);
      return rows[0]?.count === owners.length;
    });
    return asked;
  });
  const got = (await Promise.all(claims)).filter((row) => row !== undefined);
  expect(got).toHaveLength(1);
  expect(await readExecution(db, "wanted")).toMatchObject({ state: "running" });
});

test("S-03: what has its lease stays with its worker, and is taken from it when that has run out", async () => {
  const { db } = tests.fresh.store;
  await queued("held");
  await claim(db, "held", claimant("one"));
  expect(await sweep(db)).toBe(0);
  expect(await readExecution(db, "held")).toMatchObject({ state: "running" });
  await sql`update executions set lease = now() - interval '1 s' where id = 'held'`.execute(db);
  expect(await sweep(db)).toBe(1);
  expect(await readExecution(db, "held")).toMatchObject({ state: "queued" });
});

test("S-255: one that is told that it has to wait is not told so before the line above, whatever the clocks say", async () => {
  const { db, pool } = tests.fresh.store;
  const by = { ...claimant("one"), heldLine: "2026-11-20T10:00:00.000Z waiting for %1$s" };
  await pool.query("insert into running_limits values ('team:team_clock', 1)");
  const engine = testEngine(tests.fresh.store, { scripted: scriptedKind() });
  for (const id of ["clock-1", "clock-2", "clock-3"])
    await engine.start(db, { ...startOf(id, []), teamId: "team_clock" });
  const logs = {
    "clock-2": ["2026-11-21T09:00:00.000Z begun", "2026-11-21T09:00:01.000Z called"],
    "clock-3": ["no date"],
  };
  for (const [id, lines] of Object.entries(logs)) {
    await pool.query("insert into log_lines (execution_id, seq, text) values ($1, $2, $3)", [
      id,
      lines.length,
      lines.join("\n"),
    ]);
    await pool.query("update executions set log_count = $2 where id = $1", [id, lines.length]);
  }
  expect(await claim(db, "clock-1", by)).toMatchObject({ state: "running" });
  expect(await claim(db, "clock-2", by)).toMatchObject({ state: "queued" });
  const { rows } = await pool.query(
    "select execution_id, text from log_lines where text like '%waiting%' order by execution_id",
  );
  expect(rows).toEqual([
    { execution_id: "clock-2", text: "2026-11-21T09:00:01.000Z waiting for 1 run or conversation" },
    { execution_id: "clock-3", text: "2026-11-20T10:00:00.000Z waiting for 1 run or conversation" },
  ]);
});
