import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { chromiumFlags, ensureChromium } from "./scripts/ensure-chromium.ts";

/** What floods or kills has the machine's cores for itself: `npm run e2e` runs it after all else. */
const alone = ["service/{faults,starts,survives}.spec.ts", "hostile-huge.spec.ts"];
/** One page a test, none of which needs another. */
const apart = "core-only-pages.spec.ts";

export default defineConfig({
  testDir: "e2e",
  // Each worker has a service with its database, and a browser. More than two cores have: each waits now and then.
  workers: Math.ceil(availableParallelism() * 1.5),
  projects: [
    { name: "together", testIgnore: [...alone, apart], outputDir: "test-results/together" },
    { name: "apart", testMatch: apart, fullyParallel: true, outputDir: "test-results/apart" },
    { name: "alone", testMatch: alone, workers: 1, outputDir: "test-results/alone" },
  ],
  grepInvert: process.env.WHEELHOUSE_LONG === "1" ? [] : /@long/,
  forbidOnly: true,
  retries: 0,
  // Nothing is judged by time: a busy machine takes several times as long as an idle one.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    // What was done, sent and said; pictures of every moment would take a third of two cores.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
    // Less than a test's whole time, so that what hangs is named.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    launchOptions: { executablePath: ensureChromium(), args: chromiumFlags },
  },
});
