import { spawnSync } from "node:child_process";
import { ensureBuilt } from "./ensure-built.ts";
import { ensureChromium } from "./ensure-chromium.ts";

ensureBuilt();
console.log(`Chromium: ${ensureChromium()}`);
// One after the other: what is in the second has the machine for itself.
const rounds = [["--project=together", "--project=apart"], ["--project=alone"]];
for (const projects of rounds) {
  const args = ["playwright", "test", "--pass-with-no-tests", ...projects, ...process.argv.slice(2)];
  const { status } = spawnSync("npx", args, { stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
}
