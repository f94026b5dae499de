import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testFolder } from "./backup.ts";
import { root } from "./source-files.ts";
import { until } from "./until.ts";

const folder = testFolder();
afterAll(() => folder.remove());

/** Stands for what the scripts start: says when it runs, and when it is told to end. */
const stub = `#!/usr/bin/env node
process.once("SIGTERM", () => {
  console.log("told to end");
  process.exit();
});
setInterval(() => {}, 1_000);
console.log("runs");
`;

function place(path: string): void {
  const file = folder.in(path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, stub);
  chmodSync(file, 0o755);
}

test.each(["start", "wheelhouse", "dev"])(
  "S-337: whoever ends npm run %s ends what it has started",
  async (script) => {
    copyFileSync(join(root, "package.json"), folder.in("package.json"));
    place("dist/service/main.js");
    place("node_modules/.bin/tsx");
    const npm = spawn("npm", ["run", "-s", script], { cwd: folder.path, detached: true });
    let said = "";
    npm.stdout.on("data", (text) => {
      said += text;
    });
    const ended = new Promise((done) => npm.once("close", done));
    try {
      await until("it runs", () => said.includes("runs"));
      npm.kill("SIGTERM");
      await until("it is told", () => said.includes("told to end"), 5_000);
      await ended;
    } finally {
      // What npm has left behind, where it has.
      if (!said.includes("told to end")) process.kill(-Number(npm.pid), "SIGKILL");
    }
    expect(said.trim().split("\n")).toEqual(["runs", "told to end"]);
  },
);
