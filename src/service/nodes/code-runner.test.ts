import { afterAll, expect, test } from "vitest";
import { createCodeRunner } from "./code-runner.ts";

const runner = createCodeRunner(1);
afterAll(() => runner.close());
const { signal } = new AbortController();

test("code that waits for its turn lets go as soon as nobody wants it any more, and holds up nobody behind it", async () => {
  const over: string[] = [];
  const run = (name: string, source: string, until = signal) =>
    runner
      .run(source, null, { limitMs: 2_000, signal: until, onLine: () => {} })
      .finally(() => over.push(name));
  const busy = run("busy", "for (;;) {}").catch((error: unknown) => error);
  const unwanted = new AbortController();
  const waiting = run("unwanted", "return 1", unwanted.signal);
  const behind = run("behind", "return 2");
  unwanted.abort(new Error("killed"));
  await expect(waiting).rejects.toThrow("killed");
  expect(over).toEqual(["unwanted"]);
  await expect(behind).resolves.toBe(2);
  await expect(busy).resolves.toMatchObject({ message: "the code ran longer than 2 s" });
  expect(over).toEqual(["unwanted", "busy", "behind"]);
});
