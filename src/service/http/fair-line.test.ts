import { expect, test } from "vitest";
import { createBodyRoom } from "./body-room.ts";
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

test("S-92: bodies take no more room than there is, but whoever came first never waits", async () => {
  const room = createBodyRoom(10);
  const done: string[] = [];
  const [one, two, three] = [room.enter(), room.enter(), room.enter()];
  const take = (name: string, place: typeof one, bytes: number) =>
    void place.take(bytes).then(() => done.push(name));
  take("one", one, 6);
  take("two", two, 4);
  take("three", three, 1);
  await settle();
  expect(done, "there is no room for the third").toEqual(["one", "two"]);
  take("one again", one, 8);
  take("two again", two, 1);
  await settle();
  expect(done, "the first may have more than there is").toEqual(["one", "two", "one again"]);
  one.leave();
  await settle();
  expect(done).toEqual(["one", "two", "one again", "two again", "three"]);
  two.leave();
  three.leave();
  take("all", room.enter(), 10);
  await settle();
  expect(done.at(-1)).toBe("all");
});

test("S-92: a body that is given up while it waits takes nothing with it", async () => {
  const room = createBodyRoom(10);
  const [one, two, three] = [room.enter(), room.enter(), room.enter()];
  await one.take(10);
  void two.take(10);
  two.leave();
  one.leave();
  await three.take(10);
  three.leave();
});
