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
          heard.push("ended");
          resolve();
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
