import { spawnSync } from "node:child_process";
import { ensureBuilt } from "./ensure-built.ts";
import { ensureChromium } from "./ensure-chromium.ts";
import { browserRounds, runners } from "./test/rounds.ts";

ensureBuilt();
console.log(`Chromium: ${ensureChromium()}`);
// What is asked for may lie in one of the rounds alone.
for (const round of browserRounds) {
  const args = [
    ...runners.playwright.command,
    ...round.args,
    "--pass-with-no-tests",
    ...process.argv.slice(2),
  ];
  const { status } = spawnSync("npx", args, { stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}
