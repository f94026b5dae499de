import { ensureBuilt } from "./ensure-built.ts";
import { ensureChromium } from "./ensure-chromium.ts";
import { browserRounds } from "./test/rounds.ts";
import { chosen, type Group, reportOf, runParts } from "./test/run-parts.ts";

/** Another one tries other requests, answers, flows and schedules. */
const seed = Number(process.env.SEED ?? 1);
if (!Number.isInteger(seed) || seed < 1) throw new Error(`SEED=${process.env.SEED}: not a number from 1 on`);
const schedules = Number(process.env.SCHEDULES ?? 10_000);

const schedulesFile = "src/service/engine/schedules.long.test.ts";
const requestsFile = "src/testing/security/spoiled-requests.long.test.ts";
/** Pages that are looked at for hours, which wait more than they work. */
const patientPages = ["e2e/spoiled-answers.spec.ts", "e2e/network-faults.spec.ts"];
const otherPages = [
  ...["e2e/service", "e2e/artifacts.spec.ts", "e2e/hostile-fields.spec.ts", "e2e/core-only-pages.spec.ts"],
  ...["e2e/weight.spec.ts", "e2e/oidc-glewlwyd.spec.ts"],
];

const vitest = ["npx", "vitest", "run"] as const;
/** With a folder of its own: each start empties it, and two may run at once. */
const playwright = (name: string, ...args: string[]) =>
  ["npx", "playwright", "test", `--output=test-results/long/${name}`, ...args] as const;

/** Another seed has others: `SEED` alone would be a single schedule. */
const first = (seed - 1) * schedules + 1;
const SEEDS = `${first}-${first + schedules - 1}`;

const groups: readonly Group[] = [
  // Nothing here is judged by time, or kills what another needs; each waits now and then.
  {
    atOnce: 2,
    parts: [
      { name: "schedules", command: [...vitest, schedulesFile], env: { SEEDS } },
      { name: "pages", command: playwright("pages", ...patientPages) },
      { name: "requests", command: [...vitest, requestsFile] },
    ],
  },
  // Each of these has as many at once as the machine takes.
  {
    atOnce: 1,
    parts: [
      { name: "unit", command: [...vitest, "--project=!hours"] },
      ...browserRounds.map(({ args }, index) => ({
        name: `browser-${index + 1}`,
        command: playwright(`browser-${index + 1}`, ...args, "--pass-with-no-tests", ...otherPages),
      })),
    ],
  },
];

process.env.WHEELHOUSE_LONG = "1";
ensureBuilt();
console.log(`Chromium: ${ensureChromium()}`);
const begun = performance.now();
const results = await runParts(chosen(groups, process.argv.slice(2)), "test-results/long", (result) =>
  console.log(reportOf(result)),
);
const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
console.log(
  `\n${results.length} parts in ${((performance.now() - begun) / 60_000).toFixed(0)} min, seed ${seed}`,
);
if (failed.length > 0) {
  console.log(`failed: ${failed.join(", ")}; run again with npm run test:long -- ${failed.join(" ")}`);
  process.exitCode = 1;
}
