import { expect, it } from "vitest";
import { until } from "../until.ts";
import { brokenParts } from "./check-parts.ts";
import { happen } from "./happen.ts";
import { settle } from "./settle.ts";
import { closeLane, openLane, openWorld } from "./world.ts";

it("S-117: what a run again does once more, or takes over and has not, is seen", async () => {
  const lane = await openLane();
  const world = await openWorld(lane);
  const { db, pool } = lane.database.fresh.store;
  await happen(world, { do: "parts", at: 0, who: 1, fails: "many/1", by: "start" });
  const [first] = world.history.parts;
  const isOver = async () => {
    const query = db
      .selectFrom("executions")
      .select("finished_at")
      .where("id", "=", first?.id ?? "");
    return (await query.executeTakeFirst())?.finished_at != null;
  };
  await until("it has failed", isOver);
  const again = { do: "again", at: 0, which: 0, by: 1, flow: "as_run", fails: null, waits: false } as const;
  await happen(world, { ...again, from: 0, level: "top", twice: true });
  await happen(world, { ...again, from: 2, level: "below", twice: false });
  await world.answered();
  expect(await settle(world)).toEqual([]);
  expect(world.history.parts.map(({ told }) => told)).toEqual(["accepted", "accepted", "accepted", "same"]);
  expect(await brokenParts(world)).toEqual([]);

  const [, second] = world.history.parts;
  const id = second?.id ?? "";
  world.ledger.attempt(id, "one", 0);
  expect(await brokenParts(world)).toContain(`${id} did one again, which ${first?.id} had done`);
  await pool.query(
    `update moved.did set output = '{"value": "other"}' where execution_id = $1 and key = 'two'`,
    [id],
  );
  expect(await brokenParts(world)).toContainEqual(
    expect.stringContaining(`${id} has {"value":"other"} of two`),
  );
  await world.close();
  await closeLane(lane);
});
