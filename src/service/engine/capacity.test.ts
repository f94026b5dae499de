import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCapacity } from "./capacity.ts";

let begun: string[] = [];
let handedOut: string[] = [];
let ends = new Map<string, () => void>();
let leaves = new Map<string, () => void>();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  begun = [];
  handedOut = [];
  ends = new Map();
  leaves = new Map();
});
afterEach(() => void vi.useRealTimers());

const capacityOf = (concurrency: number) =>
  createCapacity<string>(concurrency, {
    execute(id, leave) {
      begun.push(id);
      leaves.set(id, leave);
      return new Promise((resolve) => ends.set(id, resolve));
    },
    async handOut(id) {
      handedOut.push(id);
    },
  });

/** Lets this one end, and others begin. */
async function end(id: string): Promise<void> {
  ends.get(id)?.();
  await new Promise(setImmediate);
}
const settled = () => new Promise(setImmediate);

test("a process with one place keeps it for the queue", () => {
  expect(capacityOf(1).reserve()).toBeNull();
});

test("what has ended with its start leaves room like any other: more may come at once", () => {
  const capacity = capacityOf(4);
  const first = [capacity.reserve(), capacity.reserve()];
  expect(capacity.reserve()).toBeNull();
  first[0]?.free();
  expect([capacity.reserve(), capacity.reserve()]).not.toContain(null);
  vi.advanceTimersByTime(101);
  expect(capacity.reserve()).toBeNull();
});

test("of a full house nothing more is reserved, until somebody has just left; then it waits in line with all others", async () => {
  const capacity = capacityOf(4);
  for (const id of ["q1", "q2"]) void capacity.run(id);
  for (const id of ["s1", "s2"]) capacity.reserve()?.take(id);
  await settled();
  expect(begun).toEqual(["q1", "q2", "s1", "s2"]);
  expect(capacity.reserve()).toBeNull();
  await end("q1");
  const later = capacity.reserve();
  later?.take("s3");
  void capacity.run("q3");
  void capacity.run("q4");
  await settled();
  // Half is the most of its own: q3 goes before s3, q4 waits.
  expect(begun.slice(4)).toEqual(["q3"]);
  await end("s1");
  expect(begun.slice(5)).toEqual(["s3"]);
  await end("q2");
  expect(begun.slice(6)).toEqual(["q4"]);
  vi.advanceTimersByTime(101);
  expect(capacity.reserve()).toBeNull();
});

test("what is reserved and not started leaves its room", async () => {
  const capacity = capacityOf(2);
  expect(capacity.reserve()).not.toBeNull();
  expect(capacity.reserve()).toBeNull();
  const other = capacityOf(2);
  other.reserve()?.free();
  other.reserve()?.take("s1");
  await settled();
  expect(begun).toEqual(["s1"]);
});

test("who is in line when it closes is handed out, and it is closed when nothing of its own is left", async () => {
  const capacity = capacityOf(2);
  void capacity.run("q1");
  capacity.reserve()?.take("s1");
  await settled();
  await end("q1");
  void capacity.run("q2");
  await settled();
  capacity.reserve()?.take("s2");
  void capacity.run("q3");
  const between = capacity.reserve();
  let isClosed = false;
  const closed = capacity.close().then(() => {
    isClosed = true;
  });
  await settled();
  expect(begun).toEqual(["q1", "s1", "q2"]);
  expect(handedOut).toEqual(["s2", "q3"]);
  expect(capacity.reserve()).toBeNull();
  await end("s1");
  expect(isClosed).toBe(false);
  between?.take("s3");
  await closed;
  expect(handedOut).toEqual(["s2", "q3", "s3"]);
});

test("what was started here and is long in line is handed out: others may have room", async () => {
  const capacity = capacityOf(4);
  for (const id of ["s1", "s2"]) capacity.reserve()?.take(id);
  await settled();
  await end("s1");
  for (const id of ["s3", "s4"]) capacity.reserve()?.take(id);
  void capacity.run("q1");
  void capacity.run("q2");
  void capacity.run("q3");
  await settled();
  vi.advanceTimersByTime(999);
  await settled();
  expect(handedOut).toEqual([]);
  vi.advanceTimersByTime(1);
  await settled();
  expect(handedOut).toEqual(["s4"]);
  // What the queue has handed out stays: its job is here.
  expect(begun).toEqual(["s1", "s2", "s3", "q1", "q2"]);
  await end("s2");
  expect(begun.slice(5)).toEqual(["q3"]);
});

test("whoever needs its room no more leaves it to the next before it is over, once", async () => {
  const capacity = capacityOf(2);
  capacity.reserve()?.take("s1");
  await settled();
  leaves.get("s1")?.();
  leaves.get("s1")?.();
  for (const id of ["q1", "q2", "q3"]) void capacity.run(id);
  await settled();
  expect(begun).toEqual(["s1", "q1", "q2"]);
  await end("s1");
  expect(begun).toEqual(["s1", "q1", "q2"]);
});
