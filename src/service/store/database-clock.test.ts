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

test("is off by half of the way to the database at most, and a slow answer spoils nothing", async () => {
  way = { ms: 100, at: 1 };
  const clock = await open();
  expect(Math.abs(clock.now().getTime() - theirs)).toBeLessThanOrEqual(50);
  way = { ms: 2, at: 0.5 };
  await clock.look();
  // What was too late stands still until then.
  pass(100);
  expect(Math.abs(clock.now().getTime() - theirs)).toBeLessThanOrEqual(1);
  way = { ms: 3_000, at: 1 };
  await clock.look();
  expect(Math.abs(clock.now().getTime() - theirs)).toBeLessThanOrEqual(1);
});

test("is never turned back by a small correction", async () => {
  way = { ms: 100, at: 0 };
  const clock = await open();
  const before = clock.now().getTime();
  way = { ms: 0, at: 0 };
  await clock.look();
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
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
