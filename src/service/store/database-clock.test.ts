import { afterEach, expect, test, vi } from "vitest";
import { openDatabaseClock } from "./database-clock.ts";
import type { Store } from "./store.ts";

/** Moments of the monotonic clock and of the database, which tests move. */
let mine = 1_000;
let theirs = Date.parse("2026-11-20T08:00:00.000Z");
/** How long a question is on its way there and back, and where the database stands in between, from 0 to 1. */
let way = { ms: 0, at: 0.5 };
const prompt = (async () => {
  mine += way.ms * way.at;
  theirs += way.ms * way.at;
  const rows = [{ now: theirs }];
  mine += way.ms * (1 - way.at);
  theirs += way.ms * (1 - way.at);
  return rows;
}) as Store["prompt"];
const open = () => {
  vi.spyOn(performance, "now").mockImplementation(() => mine);
  return openDatabaseClock({ prompt });
};
const pass = (ms: number) => {
  mine += ms;
  theirs += ms;
};
afterEach(() => {
  vi.restoreAllMocks();
  way = { ms: 0, at: 0.5 };
});

test("goes by the database's time between two looks, whatever the machine's clock says", async () => {
  const clock = await open();
  expect(clock.now().getTime()).toBe(theirs);
  vi.spyOn(Date, "now").mockImplementation(() => 0);
  pass(90_000);
  expect(clock.now().getTime()).toBe(theirs);
});

test("is never ahead of the database, and behind by the way of its quickest answer at most", async () => {
  way = { ms: 100, at: 0.5 };
  const clock = await open();
  const behind = () => theirs - clock.now().getTime();
  expect(behind()).toBe(50);
  way = { ms: 2, at: 0.5 };
  await clock.look();
  expect(behind()).toBe(1);
  way = { ms: 3_000, at: 0 };
  await clock.look();
  expect(behind()).toBe(1);
});

test("is never turned back by a small correction", async () => {
  const clock = await open();
  mine += 100;
  const before = clock.now().getTime();
  await clock.look();
  expect(clock.now().getTime()).toBe(before);
  // What was ahead stands still until then.
  pass(101);
  expect(clock.now().getTime()).toBe(theirs);
});

test.each([
  ["forwards", 86_400_000],
  ["back", -86_400_000],
])("S-09: follows the database whose clock is set %s by a day at the next look", async (_, jump) => {
  const clock = await open();
  clock.now();
  theirs += jump;
  await clock.look();
  expect(clock.now().getTime()).toBe(theirs);
});
