import { spawnSync } from "node:child_process";
import { ensureBuilt } from "./ensure-built.ts";
import { ensureChromium } from "./ensure-chromium.ts";

ensureBuilt();
console.log(`Chromium: ${ensureChromium()}`);
const result = spawnSync("npx", ["playwright", "test", ...process.argv.slice(2)], { stdio: "inherit" });
process.exitCode = result.status ?? 1;
