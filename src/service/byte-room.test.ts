import { expect, test } from "vitest";
import { createByteRoom, type RoomShare } from "./byte-room.ts";

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A room of ten bytes, and the names of what was taken, in order. */
function roomOfTen() {
  const room = createByteRoom(10);
  const done: string[] = [];
  const take = async (name: string, place: RoomShare, bytes: number) => {
    void place.take(bytes).then(() => done.push(name));
    await settle();
  };
  return { room, done, take };
}

test("S-92: bodies take no more room than there is, but whoever came first never waits", async () => {
  const { room, done, take } = roomOfTen();
  const places = ["a", "b", "c", "d", "e"].map((who) => room.enter(who));
  const [one, two, three, four, five] = places;
  if (!one || !two || !three || !four || !five) throw new Error("there are five");
  await take("one", one, 9);
  await take("two", two, 9);
  await take("three", three, 6);
  await take("four", four, 4);
  await take("five", five, 1);
  expect(done, "there is no room for the fifth").toEqual(["one", "two", "three", "four"]);
  await take("one again", one, 8);
  await take("three again", three, 1);
  expect(done.slice(4), "the first may have more than there is").toEqual(["one again"]);
  one.leave();
  await settle();
  expect(done.slice(5), "the next is the first now").toEqual(["three again", "five"]);
  for (const place of places) place.leave();
  await take("all", room.enter("f"), 10);
  expect(done.at(-1)).toBe("all");
});

test("S-271: one who holds all that there is for one holds up no other, and none of their own but in turn", async () => {
  const { room, done, take } = roomOfTen();
  const loud = Array.from({ length: 4 }, () => room.enter("loud"));
  for (const [at, place] of loud.entries()) await take(`loud ${at}`, place, 5);
  expect(done, "what came first, and half of the room").toEqual(["loud 0", "loud 1"]);
  const [quiet, third] = [room.enter("quiet"), room.enter("third")];
  await take("quiet", quiet, 9);
  await take("third", third, 5);
  expect(done.slice(2)).toEqual(["quiet", "third"]);
  loud[0]?.leave();
  await settle();
  expect(done.slice(4)).toEqual(["loud 2"]);
});

test("S-92: what is in the room and holds nothing is in nobody's way", async () => {
  const { room, done, take } = roomOfTen();
  room.enter("small");
  room.enter("small too");
  await take("large", room.enter("large"), 20);
  expect(done).toEqual(["large"]);
});

test("S-92: a body that is given up while it waits takes nothing with it", async () => {
  const { room, done, take } = roomOfTen();
  const [one, two, three] = [room.enter("a"), room.enter("a"), room.enter("a")];
  await take("one", one, 10);
  await take("two", two, 10);
  two.leave();
  one.leave();
  await take("three", three, 10);
  expect(done).toEqual(["one", "two", "three"]);
});
