import { ensureBuilt } from "./ensure-built.ts";
import { ensureChromium } from "./ensure-chromium.ts";
import { browserRounds, unitRound } from "./test/rounds.ts";
import { runTests } from "./test/run-tests.ts";

ensureBuilt();
console.log(`Chromium: ${ensureChromium()}`);
const { passed, text } = runTests([unitRound, ...browserRounds]);
console.log(text);
if (!passed) process.exitCode = 1;
