import { expect, test } from "vitest";
import { describe, runSeeds } from "../../testing/schedules/run-schedule.ts";

/** `SEED=17 npm run unit -- src/service/engine/schedules.test.ts` runs one alone; `SEEDS` says how many, from `SEED` on. */
const first = Number(process.env.SEED ?? 1);
const count = Number(process.env.SEEDS ?? (process.env.SEED === undefined ? 6 : 1));

test("S-90: whatever happens to processes, database, disk and clocks, all that was accepted ends once and right", async () => {
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const { broken } = await runSeeds(seeds, { atOnce: Math.min(6, count) });
  expect(broken.map(describe).join("\n\n")).toBe("");
}, 600_000);
