import { expect, test } from "vitest";
import { reportOf, runSeeds } from "../../testing/schedules/run-schedule.ts";
import { seedsOf } from "../../testing/schedules/seeds.ts";

/** `SEED=17 npm run unit -- src/service/engine/schedules.test.ts` runs one alone. */
const seeds = seedsOf(process.env, 6);

test("S-90: whatever happens to processes, database, disk and clocks, all that was accepted ends once and right", async () => {
  const { broken } = await runSeeds(seeds, { atOnce: Math.min(6, seeds.length) });
  expect(broken.map(reportOf).join("\n\n")).toBe("");
}, 600_000);
