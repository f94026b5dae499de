import { expect, test } from "vitest";
import { until } from "../../testing/until.ts";
import { grouped } from "./grouped.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });

/**
 * Writes numbers, each as its square, when it is told to; throws what it is told to. A tenant has ten numbers.
 * @param sizes how large those are that take any room
 */
function controlled(...sizes: { of: number; bytes: number }[]) {
  const calls: { all: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const write = grouped<number, number>(
    (all) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(new Map(all.filter((n) => n > 0).map((n) => [n, n * n])));
        calls.push({ all, answer, fail: reject });
      }),
    {
      tenantOf: (n) => `tenant ${Math.floor(n / 10)}`,
      valuesOf: (n) => sizes.map((size) => "x".repeat(n === size.of ? size.bytes : 0)),
    },
  );
  return { calls, write };
}

test("what comes while a statement is under way goes together with the next one, the same twice as well", async () => {
  const { calls, write } = controlled();
  const first = write(1);
  await turn();
  const others = Promise.all([write(2), write(3), write(2), write(0)]);
  await turn();
  expect(calls.map(({ all }) => all)).toEqual([[1]]);
  calls[0]?.answer();
  expect(await first).toBe(1);
  await turn();
  expect(calls.map(({ all }) => all)).toEqual([[1], [2, 3, 2, 0]]);
  calls[1]?.answer();
  expect(await others).toEqual([4, 9, 4, undefined]);
});

test("where a statement for several fails, the bad one fails and the others are written", async () => {
  const { calls, write } = controlled();
  const outcomes = Promise.allSettled([write(1), write(2), write(3)]);
  await turn();
  calls[0]?.fail(new Error("one is bad"));
  for (let n = 1; n <= 3; n++) {
    await turn();
    if (n === 2) calls[n]?.fail(new Error("this one"));
    else calls[n]?.answer();
  }
  expect(await outcomes).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "rejected", reason: new Error("this one") },
    { status: "fulfilled", value: 9 },
  ]);
  expect(calls.map(({ all }) => all)).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test("where the database is away nothing is written again by itself: it may have got through", async () => {
  const { calls, write } = controlled();
  const outcomes = Promise.allSettled([write(1), write(2)]);
  await turn();
  calls[0]?.fail(away);
  expect(await outcomes).toEqual([
    { status: "rejected", reason: away },
    { status: "rejected", reason: away },
  ]);
  expect(calls).toHaveLength(1);
});

test("S-300: a statement under way holds up those whose it is, and nobody else", async () => {
  const { calls, write } = controlled();
  const loud = [write(1), write(2)];
  await turn();
  loud.push(write(3));
  const quiet = write(11);
  await turn();
  expect(calls.map(({ all }) => all)).toEqual([[1, 2], [11]]);
  calls[1]?.answer();
  expect(await quiet).toBe(121);
  await turn();
  expect(calls).toHaveLength(2);
  calls[0]?.answer();
  await turn();
  expect(calls.map(({ all }) => all)).toEqual([[1, 2], [11], [3]]);
  calls[2]?.answer();
  expect(await Promise.all(loud)).toEqual([1, 4, 9]);
});

test("two statements are under way at most, and the third of many tenants goes with the next", async () => {
  const { calls, write } = controlled();
  const all = [write(1)];
  await turn();
  all.push(write(11));
  await turn();
  all.push(write(21), write(31), write(2));
  await turn();
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  await turn();
  expect(calls.map((call) => call.all)).toEqual([[1], [11], [21, 31]]);
  for (const call of calls) call.answer();
  await turn();
  calls[3]?.answer();
  expect(await Promise.all(all)).toEqual([1, 121, 441, 961, 4]);
});

test("S-298: what is large together goes apart, in its order, and what is large alone in a turn of its own", async () => {
  const half = 600_000;
  const { calls, write } = controlled(
    { of: 2, bytes: half },
    { of: 3, bytes: half },
    { of: 5, bytes: 2 * half },
  );
  const all = [write(1)];
  await turn();
  all.push(write(2), write(3), write(4), write(5), write(6));
  const written: (readonly number[])[] = [];
  for (let at = 0; at < 4; at++) {
    await until("the next is written", () => calls.length > at, 10_000);
    written.push(calls[at]?.all ?? []);
    calls[at]?.answer();
  }
  expect(written).toEqual([[1], [2, 4, 6], [3], [5]]);
  expect(await Promise.all(all)).toEqual([1, 4, 9, 16, 25, 36]);
});
