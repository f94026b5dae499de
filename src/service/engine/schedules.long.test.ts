import { expect, test } from "vitest";
import { reportOf, runSeeds } from "../../testing/schedules/run-schedule.ts";
import { seedsOf } from "../../testing/schedules/seeds.ts";

/** Nobody has to run all of them at once: docs/reliability.md says which portions were. */
const seeds = seedsOf(process.env, 10_000);

test(
  "S-90: ten thousand schedules of faults leave nothing lost, doubled, stuck or misdated",
  async () => {
    const begun = performance.now();
    const { broken, tally } = await runSeeds(seeds, {
      atOnce: 6,
      // At once, lest it is lost when somebody ends a long run early.
      onBroken: (one) => process.stdout.write(`${reportOf(one)}\n`),
      onDone(done, wrong) {
        if (done % 100 === 0) process.stdout.write(`${done} schedules, ${wrong} broken\n`);
      },
    });
    const figures = [...tally].sort().map(([what, times]) => `${what}: ${times}`);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    process.stdout.write(`seeds ${seeds[0]} to ${seeds.at(-1)} in ${seconds} s\n${figures.join("\n")}\n`);
    expect(broken.map(reportOf).join("\n\n")).toBe("");
  },
  24 * 3_600_000,
);
