import { defineConfig } from "@playwright/test";
import { chromiumFlags, ensureChromium } from "./scripts/ensure-chromium.ts";

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // One browser at a time: the service, its database and Chromium share the machine's cores.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    launchOptions: { executablePath: ensureChromium(), args: chromiumFlags },
  },
});
