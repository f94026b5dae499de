import { expect, test } from "vitest";
import { createHints } from "./hints.ts";

test("where something was found is remembered, the last time alone, and not for ever", () => {
  let now = 0;
  const hints = createHints<string | null>(() => now);
  expect(hints.of("needle")).toBeUndefined();
  hints.remember("needle", null);
  expect(hints.of("needle")).toBeNull();
  hints.remember("needle", "everywhere");
  expect(hints.of("needle")).toBe("everywhere");
  now += 600_000;
  expect(hints.of("needle")).toBeUndefined();
});

test("of a thousand questions and one the one that was asked longest ago is forgotten", () => {
  const hints = createHints<number>(() => 0);
  hints.remember("first", 1);
  hints.remember("second", 2);
  hints.remember("first", 3);
  for (let n = 0; n < 999; n++) hints.remember(`question ${n}`, n);
  expect([hints.of("first"), hints.of("second"), hints.of("question 998")]).toEqual([3, undefined, 998]);
});
