import { expect, test } from "vitest";
import { until } from "../../testing/until.ts";
import { batched, coalesced } from "./batch.ts";

/** Longer than any test waits. */
const forEver = 600_000;

/** A loader that answers when it is told to. */
function controlled(slowAfterMs = forEver) {
  const calls: { keys: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const ask = batched<string, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        calls.push({
          keys,
          answer: () =>
            resolve(new Map(keys.filter((key) => key !== "none").map((key) => [key, `value of ${key}`]))),
          fail: () => reject(new Error("the database is away")),
        });
      }),
    { inFlight: 1, maxBatchSize: 3, slowAfterMs },
  );
  return { calls, ask };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("keys that are asked for together share one query, each once", async () => {
  const { calls, ask } = controlled();
  const answers = Promise.all([ask("a"), ask("b"), ask("a"), ask("none")]);
  await turn();
  calls[0]?.answer();
  await turn();
  calls[1]?.answer();
  expect(await answers).toEqual(["value of a", "value of b", "value of a", undefined]);
  expect(calls.map(({ keys }) => keys)).toEqual([["a", "b"], ["none"]]);
});

test("a key that is asked for while a query is on its way gets a later one, never the older answer", async () => {
  const { calls, ask } = controlled();
  const first = ask("a");
  await turn();
  const second = ask("a");
  await turn();
  expect(calls).toHaveLength(1);
  calls[0]?.answer();
  await first;
  await turn();
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  expect(await second).toBe("value of a");
});

test("a failed query fails those who waited for it, and nobody after", async () => {
  const { calls, ask } = controlled();
  const first = ask("a");
  await turn();
  calls[0]?.fail();
  await expect(first).rejects.toThrow("the database is away");
  const second = ask("a");
  await turn();
  calls[1]?.answer();
  expect(await second).toBe("value of a");
});

test("a query that does not end holds up the keys after it for a moment only", async () => {
  const { calls, ask } = controlled(20);
  const first = ask("a");
  await turn();
  const second = ask("b");
  await until("the second query begins", () => calls.length === 2);
  calls[1]?.answer();
  expect(await second).toBe("value of b");
  calls[0]?.answer();
  expect(await first).toBe("value of a");
});

/** Long enough for a query to begin. */
async function turns(): Promise<void> {
  for (let time = 0; time < 3; time++) await turn();
}

/** A question that is answered when the test says so. */
function question(slowAfterMs = forEver) {
  const asked: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const ask = coalesced<string>(
    () => new Promise((resolve, reject) => void asked.push({ answer: resolve, fail: reject })),
    { slowAfterMs },
  );
  return { asked, ask };
}

test("one query answers all who asked before it began", async () => {
  const { asked, ask } = question();
  const answers = Promise.all([ask(), ask(), ask()]);
  await turns();
  expect(asked).toHaveLength(1);
  asked[0]?.answer("now");
  expect(await answers).toEqual(["now", "now", "now"]);
});

test("who asks while a query is on its way gets the next one's answer, never the older", async () => {
  const { asked, ask } = question();
  const first = ask();
  await turns();
  const second = ask();
  await turns();
  expect(asked).toHaveLength(1);
  asked[0]?.answer("old");
  expect(await first).toBe("old");
  await turns();
  asked[1]?.answer("new");
  expect(await second).toBe("new");
});

test("a query that fails fails its own askers, and the next ones are answered", async () => {
  const { asked, ask } = question();
  const first = ask();
  await turns();
  const second = ask();
  asked[0]?.fail(new Error("the database is away"));
  await expect(first).rejects.toThrow("the database is away");
  await turns();
  asked[1]?.answer("back");
  expect(await second).toBe("back");
});

test("a question that nobody answers holds up the next one for a moment only", async () => {
  const { asked, ask } = question(20);
  const first = ask();
  await turns();
  const second = ask();
  await until("it is asked again", () => asked.length === 2);
  asked[1]?.answer("new");
  expect(await second).toBe("new");
  asked[0]?.answer("old");
  expect(await first).toBe("old");
});
