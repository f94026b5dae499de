import { expect, test } from "vitest";
import { createByteRoom } from "./byte-room.ts";

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("S-92: bodies take no more room than there is, but whoever came first never waits", async () => {
  const room = createByteRoom(10);
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
  const room = createByteRoom(10);
  const [one, two, three] = [room.enter(), room.enter(), room.enter()];
  await one.take(10);
  void two.take(10);
  two.leave();
  one.leave();
  await three.take(10);
  three.leave();
});
