import { expect, test } from "vitest";
import { createRecurring } from "./recurring.ts";

const hour = 3_600_000;
const never = () => expect.unreachable();

test("what is under way hears of the stop, and the stop waits for its end", async () => {
  const heard: string[] = [];
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const recurring = createRecurring(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          // It takes a while to end.
          setImmediate(() => {
            heard.push("ended");
            resolve();
          });
        });
        begin();
      }),
    hour,
    never,
  );
  recurring.start();
  await hasBegun;
  await recurring.stop();
  expect(heard).toEqual(["ended"]);
});

test("a time that fails is told, and the next one comes all the same", async () => {
  const failures: unknown[] = [];
  let times = 0;
  let end = () => {};
  const isTwice = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    times += 1;
    if (times === 1) throw new Error("the database is away");
    end();
  };
  const recurring = createRecurring(work, 1, (error) => failures.push(error));
  recurring.start();
  await isTwice;
  await recurring.stop();
  expect(failures).toEqual([new Error("the database is away")]);
});

test("nothing begins after a stop", async () => {
  const recurring = createRecurring(async () => never(), hour, never);
  await recurring.stop();
  recurring.start();
  await recurring.stop();
});

test("the next time does not begin before the last one has ended, and none is left over at a stop", async () => {
  let atWork = 0;
  let most = 0;
  let times = 0;
  let isThird = () => {};
  const third = new Promise<void>((resolve) => {
    isThird = resolve;
  });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const work = async () => {
    most = Math.max(most, ++atWork);
    times += 1;
    // Longer than the time between two.
    const until = performance.now() + 5;
    while (performance.now() < until) await turn();
    atWork -= 1;
    if (times === 3) isThird();
  };
  const recurring = createRecurring(work, 1, never);
  recurring.start();
  await third;
  await recurring.stop();
  expect([most, times]).toEqual([1, 3]);
});
