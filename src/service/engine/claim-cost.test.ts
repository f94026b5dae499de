import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { until } from "../../testing/until.ts";
import { claimReady } from "./claim-ready.ts";
import { sweep } from "./sweep.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  // Nothing takes away what is dead while it is counted.
  await fresh.store.pool.query("alter table executions set (autovacuum_enabled = off)");
  await fresh.store.pool.query("insert into running_limits values ('team:team_long', 1000)");
});
afterAll(() => fresh.drop());

/** Queues so many of one person, so many days ago, each a second after the one before. */
async function queue(name: string, count: number, days = 1): Promise<void> {
  await fresh.store.pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, queued_at)
     select $1 || lpad(n::text, 5, '0'), 'scripted', $1 || lpad(n::text, 5, '0'), 0, 'subject', 'ann', 'team_long', '{}',
            now() - make_interval(days => $3) + make_interval(secs => n)
       from generate_series(1, $2::integer) n`,
    [name, count, days],
  );
}

const claimant = { owner: "nobody", kinds: ["scripted"], placed: ["scripted"], heldLine: "%1$s" };
const roomFor = (count: number) => ({ count, fullTeams: [], fullPeople: [] });

/** Claims so many and ends them. @returns their ids */
async function claimAndEnd(count: number): Promise<string[]> {
  const { rows } = await claimReady(fresh.store.db, claimant, roomFor(count), null);
  const ids = rows.map(({ id }) => id);
  await fresh.store.pool.query("delete from executions where id = any ($1)", [ids]);
  return ids;
}

/** How many pages the claim of one more reads. It is undone. */
async function pagesOfClaim(): Promise<number> {
  interface Plan {
    readonly "Shared Hit Blocks": number;
    readonly "Shared Read Blocks": number;
  }
  const pages = await fresh.store.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ readonly "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>`
      explain (analyze, buffers, timing off, format json)
      select * from claim_ready('nobody', '{scripted}', '{scripted}', '10 s', 50, '%1$s', 1, '{}', '{}', null)
    `.execute(tx);
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
  });
  await fresh.store.pool.query(
    "update executions set state = 'queued', owner = null, lease = null, started_at = null, has_place = false where owner = 'nobody'",
  );
  return pages;
}

/**
 * Waits until nothing that began before now is open. Until then PostgreSQL passes over nothing of what is dead: another
 * test's transaction on this server is enough, in a database of its own, when it writes.
 */
async function nothingOlderIsOpen(): Promise<void> {
  const { pool } = fresh.store;
  const { rows } = await pool.query<{ readonly now: string }>(
    "select pg_current_xact_id()::xid::text as now",
  );
  await until("what began before is over", async () => {
    const { rows: open } = await pool.query<{ readonly is_over: boolean }>(
      // With our own snapshot, which is as old as the oldest that writes on this server.
      `select max(age(backend_xmin)) < age($1::xid) as is_over from pg_stat_activity where datname = current_database()`,
      [rows[0]?.now],
    );
    return open[0]?.is_over === true;
  });
}

test("S-284: a claim reads as little of the queue after thousands as at the first", async () => {
  await queue("long", 6_000);
  await claimAndEnd(10);
  const first = await pagesOfClaim();
  for (let at = 0; at < 55; at++) expect(await claimAndEnd(100)).toHaveLength(100);
  await until("a claim begins where the last one was", async () => {
    await nothingOlderIsOpen();
    // Where it was is kept for a moment: this machine may stand still for longer.
    expect(await claimAndEnd(1)).toHaveLength(1);
    return (await pagesOfClaim()) <= first + 40;
  });
  expect(await claimAndEnd(1_000)).not.toHaveLength(0);
});

test("S-284: what was committed late, with a time before those that were claimed, is claimed all the same", async () => {
  await queue("next", 3);
  expect(await claimAndEnd(2)).toEqual(["next00001", "next00002"]);
  await queue("late", 1, 2);
  // After the other one, as long as it is remembered where that is; at once, if this machine stood still.
  const others = [...(await claimAndEnd(1)), ...(await claimAndEnd(1))];
  expect(others.toSorted()).toEqual(["late00001", "next00003"]);
});

test.each(["-1 second", "1 hour"])(
  "S-284: nor does it wait for long, also where the clock jumps by %s",
  async (jump) => {
    await queue("next", 3);
    await claimAndEnd(1);
    await queue("late", 1, 2);
    await fresh.store.pool.query("update fronts set walked_at = clock_timestamp() + $1::interval", [jump]);
    expect(await claimAndEnd(3)).toEqual(["late00001", "next00002", "next00003"]);
  },
);

test("S-284: where somebody's work began is forgotten a minute later", async () => {
  await queue("next", 2);
  await claimAndEnd(1);
  const fronts = async () => (await fresh.store.pool.query("select kind from fronts")).rows;
  await sweep(fresh.store.db);
  expect(await fronts()).toEqual([{ kind: "scripted" }]);
  await fresh.store.pool.query("update fronts set walked_at = clock_timestamp() - interval '61 seconds'");
  await sweep(fresh.store.db);
  expect(await fronts()).toEqual([]);
});
