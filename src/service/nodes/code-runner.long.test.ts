import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { createCodeRunner } from "./code-runner.ts";

const runner = createCodeRunner(1);
afterAll(() => runner.close());

test("S-283: what code waits for a core of the machine, which everything else has before it, is not its own time", async () => {
  // Its thread is there before the machine is busy.
  await runner.run("return 1", null, { limitMs: 60_000, requester: { share: [] }, onLine: () => {} });
  const busy = Array.from(
    { length: availableParallelism() },
    () => new Worker("for (const end = Date.now() + 120_000; Date.now() < end; );", { eval: true }),
  );
  const limitMs = 600;
  const options = { limitMs, requester: { share: [] }, onLine: () => {} };
  const count = "const began = Date.now(); for (let i = 0; i < 3_000_000; i++); return Date.now() - began";
  const waited = async () => {
    for (let time = 0; time < 20; time++) {
      const took = await runner.run(count, null, options);
      if (Number(took) > limitMs) return true;
    }
    return false;
  };
  expect(await waited().finally(() => Promise.all(busy.map((worker) => worker.terminate())))).toBe(true);
});
