import { expect, test } from "vitest";
import { grouped } from "./grouped.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });

/** Writes numbers, each as its square, when it is told to; throws what it is told to. */
function controlled() {
  const calls: { all: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const write = grouped<number, number>(
    (all) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(new Map(all.filter((n) => n > 0).map((n) => [n, n * n])));
        calls.push({ all, answer, fail: reject });
      }),
  );
  return { calls, write };
}

test("what comes while a statement is under way goes together with the next one, the same twice as well", async () => {
  const { calls, write } = controlled();
  const first = write(1);
  await turn();
  const others = Promise.all([write(2), write(3), write(2), write(-1)]);
  await turn();
  expect(calls.map(({ all }) => all)).toEqual([[1]]);
  calls[0]?.answer();
  expect(await first).toBe(1);
  await turn();
  expect(calls.map(({ all }) => all)).toEqual([[1], [2, 3, 2, -1]]);
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
