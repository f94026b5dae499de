import { expect, test } from "vitest";
import { createFairLine } from "./fair-line.ts";

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("S-95: one who wants a hundred places leaves room for others, who get theirs at once", async () => {
  const line = createFairLine(4, 2);
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const want = (who: string, name = who) =>
    void line.enter(who).then((leave) => {
      order.push(name);
      leaves.push(leave);
    });
  for (let one = 1; one <= 100; one++) want("loud", `loud ${one}`);
  want("ann");
  want("ben");
  await settle();
  expect(order).toEqual(["loud 1", "loud 2", "ann", "ben"]);
});

test("S-95: places that become free go round between all who wait", async () => {
  const line = createFairLine(1, 1);
  const order: string[] = [];
  const want = async (who: string) => {
    const leave = await line.enter(who);
    order.push(who);
    leave();
  };
  const first = await line.enter("first");
  const all = ["loud", "loud", "loud", "ann", "ben", "ann"].map(want);
  await settle();
  expect(order).toEqual([]);
  first();
  await Promise.all(all);
  expect(order).toEqual(["loud", "ann", "ben", "loud", "ann", "loud"]);
});
