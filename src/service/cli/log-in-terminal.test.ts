import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { builtFile } from "../../testing/built.ts";

const folder = testFolder();
afterAll(() => folder.remove());

/** `script` of util-linux gives a command a terminal. @returns what it said there */
async function inTerminal(command: string): Promise<string> {
  const run = promisify(execFile)("script", ["-qec", command, "/dev/null"]);
  run.child.stdin?.end();
  const { stdout } = await run.catch((error: unknown) => {
    if (error instanceof Error && "stdout" in error) return { stdout: String(error.stdout) };
    throw error;
  });
  return stdout.trim();
}

const start = (data: string) =>
  inTerminal(`'${process.execPath}' '${builtFile("service/main")}' start --port 0 --data '${data}'`);

test.skipIf(!existsSync("/usr/bin/script") || !existsSync("/proc/self")).each([
  ["a folder that cannot be made", () => "/proc/none/data", "", "ENOENT"],
  [
    "one whose log cannot be written",
    () => {
      mkdirSync(folder.in("data/wheelhouse.log"), { recursive: true });
      return folder.in("data");
    },
    "/wheelhouse.log",
    "EISDIR",
  ],
])("S-339: a start at a terminal with %s ends in one line that names --data", async (_, make, file, code) => {
  const data = make();
  expect(await start(data)).toBe(
    `--data: ${data}${file} cannot be used (${code}): name a folder that this account may write to`,
  );
});
