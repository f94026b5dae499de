import { expect, test } from "vitest";
import { createLifetimes } from "./connection-lifetime.ts";

test.each([
  ["half a minute in a young process", 0, 30_000],
  ["as long as the process has been up", 120_000, 120_000],
  ["ten minutes at most", 86_400_000, 600_000],
])("a connection is used for %s, and not all of them end at once", (_, up, milliseconds) => {
  const lifetimeAt = (random: number) => {
    let now = 5_000;
    const lifetime = createLifetimes(
      () => now,
      () => random,
    );
    now += up;
    return lifetime();
  };
  expect(lifetimeAt(0.5)).toBe(milliseconds);
  expect([lifetimeAt(0), lifetimeAt(1)]).toEqual([milliseconds * 0.75, milliseconds * 1.25]);
});
