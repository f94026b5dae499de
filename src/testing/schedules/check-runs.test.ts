import { expect, it } from "vitest";
import { brokenRuns } from "./check-runs.ts";
import { scheduleDatabase } from "./database.ts";
import { happen } from "./happen.ts";
import { settle } from "./settle.ts";
import { closeLane, openLane, openWorld } from "./world.ts";

it("S-364: a wait that ends early is seen, and one whose time had come when the clock was turned back is none", async () => {
  const lane = await openLane();
  const world = await openWorld(lane);
  const { pool } = lane.database.fresh.store;
  await happen(world, { do: "run", at: 0, who: 0, script: [{ do: "wait", ms: 5 }], by: "start" });
  await world.answered();
  expect(await settle(world)).toEqual([]);
  expect(await brokenRuns(world)).toEqual([]);

  await pool.query("update steps set finished_at = wake_at - interval '1 us' where wake_at is not null");
  expect(await brokenRuns(world)).toEqual([expect.stringContaining("waited in 0 for less than it was to")]);

  // As it is when somebody has taken the job and the clock is turned before the step ends.
  await pool.query(
    "update moved.state set still = (select wake_at + interval '1 ms' from steps where wake_at is not null)",
  );
  await pool.query(
    "update moved.state set still = (select wake_at - interval '1 us' from steps where wake_at is not null)",
  );
  expect(await brokenRuns(world)).toEqual([]);

  await pool.query("update steps set finished_at = wake_at - interval '2 us' where wake_at is not null");
  expect(await brokenRuns(world)).toEqual([expect.stringContaining("waited in 0 for less than it was to")]);
  await pool.query(
    "update moved.state set by = still - pg_catalog.clock_timestamp(), still = null, since = pg_catalog.clock_timestamp()",
  );
  await world.close();
  await closeLane(lane);
});

it("S-364: a transaction that began before the clock was turned has no earlier time than what it was turned to", async () => {
  const database = await scheduleDatabase();
  const { pool } = database.fresh.store;
  const early = await pool.connect();
  await early.query("begin");
  await database.jump(-60_000);
  const { rows } = await early.query("select now() >= to_at as ok from moved.turned_back");
  expect(rows).toEqual([{ ok: true }]);
  await early.query("commit");
  early.release();
  await database.fresh.drop();
});
