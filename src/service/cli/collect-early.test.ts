import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { builtFile } from "../../testing/built.ts";

test("S-215: garbage that is not young is collected before there is as much of it as of what lives", async () => {
  // 52 MB live, and 260 MB come and go; by itself V8 lets the heap grow to 230 MB.
  const { stdout } = await promisify(execFile)(process.execPath, [
    builtFile("testing/garbage-process"),
    "early",
  ]);
  expect(Number(stdout) / 1_000_000).toBeGreaterThan(52);
  expect(Number(stdout) / 1_000_000).toBeLessThan(165);
});
