import { expect, test } from "vitest";
import { describe, runSeeds } from "../../testing/schedules/run-schedule.ts";

/** `SEED` is the first, `SEEDS` how many. */
const first = Number(process.env.SEED ?? 1);
const count = Number(process.env.SEEDS ?? 10_000);

test(
  "S-90: ten thousand schedules of faults leave nothing lost, doubled, stuck or misdated",
  async () => {
    const seeds = Array.from({ length: count }, (_, index) => first + index);
    const { broken, tally } = await runSeeds(seeds, {
      atOnce: 6,
      onDone(done, wrong) {
        if (done % 100 === 0) process.stdout.write(`${done} schedules, ${wrong} broken\n`);
      },
    });
    const figures = [...tally].sort().map(([what, times]) => `${what}: ${times}`);
    process.stdout.write(`seeds ${first} to ${first + count - 1}\n${figures.join("\n")}\n`);
    expect(broken.map(describe).join("\n\n")).toBe("");
  },
  24 * 3_600_000,
);
