import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCapacity } from "./capacity.ts";
import type { Tenant } from "./shares.ts";

let begun: string[] = [];
let roomed = 0;
let handedOut: string[] = [];
let quiet: string[] = [];
let ends = new Map<string, () => void>();
let leaves = new Map<string, () => void>();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  begun = [];
  roomed = 0;
  handedOut = [];
  quiet = [];
  ends = new Map();
  leaves = new Map();
});
afterEach(() => void vi.useRealTimers());

const ada: Tenant = { limitKey: "user:ada", person: "ada" };
const team = (name: string, person: string): Tenant => ({ limitKey: `team:${name}`, person });

const capacityOf = (concurrency: number) =>
  createCapacity<string>(concurrency, {
    onRoom: () => void roomed++,
    onQuiet(tenant) {
      quiet.push(tenant.person);
      return () => void quiet.splice(quiet.indexOf(tenant.person), 1);
    },
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
  expect(capacityOf(1).reserve(ada)).toBeNull();
});

test("what has ended with its start leaves room like any other: more may come at once", () => {
  const capacity = capacityOf(4);
  const first = [capacity.reserve(ada), capacity.reserve(ada)];
  expect(capacity.reserve(ada)).toBeNull();
  first[0]?.free();
  expect([capacity.reserve(ada), capacity.reserve(ada)]).not.toContain(null);
  vi.advanceTimersByTime(101);
  expect(capacity.reserve(ada)).toBeNull();
});

test("of a full house nothing more is reserved, until somebody has just left; then it waits in line", async () => {
  const capacity = capacityOf(4);
  for (const id of ["q1", "q2"]) capacity.run(id, ada);
  for (const id of ["s1", "s2"]) capacity.reserve(ada)?.take(id);
  await settled();
  expect(begun).toEqual(["q1", "q2", "s1", "s2"]);
  expect(capacity.reserve(ada)).toBeNull();
  await end("q1");
  const later = capacity.reserve(ada);
  later?.take("s3");
  // Half is the most of its own: what others have started may be claimed, and s3 waits.
  expect(capacity.room()).toEqual({ count: 1, fullTeams: [], fullPeople: [] });
  capacity.run("q3", ada);
  await settled();
  expect(begun.slice(4)).toEqual(["q3"]);
  await end("s1");
  expect(begun.slice(5)).toEqual(["s3"]);
  vi.advanceTimersByTime(101);
  expect(capacity.reserve(ada)).toBeNull();
});

test("what is about to be started here keeps its room from what others have started", () => {
  const capacity = capacityOf(4);
  expect(capacity.room()?.count).toBe(4);
  const first = capacity.reserve(ada);
  expect(capacity.room()?.count).toBe(3);
  first?.free();
  expect(capacity.room()?.count).toBe(4);
});

test("a full house of one person has room for another team, up to its share, and for nobody who has more", async () => {
  const capacity = capacityOf(4);
  for (const id of ["a1", "a2", "a3", "a4"]) capacity.run(id, ada);
  // Of ada nothing is claimed or begun; of anybody else something is.
  expect(capacity.room()).toEqual({ count: 1, fullTeams: [], fullPeople: ["user:ada ada"] });
  expect(capacity.reserve(ada)).toBeNull();
  const bee = team("bee", "bee");
  capacity.reserve(bee)?.take("b1");
  capacity.run("b2", bee);
  await settled();
  expect(begun.slice(4).sort()).toEqual(["b1", "b2"]);
  // Half of four is the share of each of two teams.
  expect(capacity.reserve(bee)).toBeNull();
  expect(capacity.room()).toEqual({ count: 1, fullTeams: ["user:ada", "team:bee"], fullPeople: [] });
  for (const name of ["cee", "dee"]) capacity.reserve(team(name, name))?.take(name);
  await settled();
  expect(begun.slice(6)).toEqual(["cee", "dee"]);
  // Twice as many as there are places is the end of it.
  expect(capacity.room()).toBeNull();
  expect(capacity.reserve(team("eff", "eff"))).toBeNull();
  for (const id of ["a1", "a2", "a3"]) await end(id);
  expect(capacity.room()?.fullPeople).toContain("user:ada ada");
});

test("a full house of one person of a team has room for the others of it, half as many as there are places", async () => {
  const capacity = capacityOf(4);
  for (const id of ["a1", "a2", "a3", "a4"]) capacity.run(id, team("one", "ada"));
  for (const id of ["b1", "b2"]) capacity.reserve(team("one", id))?.take(id);
  await settled();
  expect(begun.slice(4)).toEqual(["b1", "b2"]);
  expect(capacity.room()).toEqual({ count: 1, fullTeams: ["team:one"], fullPeople: [] });
  expect(capacity.reserve(team("two", "cee"))).not.toBeNull();
});

test("while other teams wait, who has its share starts nothing here ahead of them", async () => {
  const capacity = capacityOf(12);
  const bee = team("bee", "bee");
  capacity.run("a1", ada);
  capacity.run("b1", bee);
  capacity.setCrowded(true);
  for (const id of ["a2", "a3", "a4", "a5", "a6"]) capacity.reserve(ada)?.take(id);
  await settled();
  expect(begun).toEqual(["a1", "b1", "a2", "a3", "a4", "a5", "a6"]);
  expect(capacity.reserve(ada)).toBeNull();
  capacity.setCrowded(false);
  expect(capacity.reserve(ada)).not.toBeNull();
  capacity.setCrowded(true);
  expect(capacity.reserve(bee)).not.toBeNull();
});

test("what is reserved and not started leaves its room", async () => {
  const capacity = capacityOf(2);
  expect(capacity.reserve(ada)).not.toBeNull();
  expect(capacity.reserve(ada)).toBeNull();
  const other = capacityOf(2);
  other.reserve(ada)?.free();
  other.reserve(ada)?.take("s1");
  await settled();
  expect(begun).toEqual(["s1"]);
});

test("who is in line when it closes is handed out, and it is closed when nothing is left", async () => {
  const capacity = capacityOf(2);
  capacity.run("q1", ada);
  capacity.reserve(ada)?.take("s1");
  await settled();
  await end("q1");
  capacity.run("q2", ada);
  await settled();
  capacity.reserve(ada)?.take("s2");
  capacity.run("q3", ada);
  const between = capacity.reserve(ada);
  let isClosed = false;
  const closed = capacity.close().then(() => {
    isClosed = true;
  });
  await settled();
  expect(begun).toEqual(["q1", "s1", "q2", "q3"]);
  expect(handedOut).toEqual(["s2"]);
  expect([capacity.reserve(ada), capacity.room()]).toEqual([null, null]);
  // Claimed by a look that was on its way.
  capacity.run("q4", ada);
  await end("q3");
  await end("s1");
  await end("q2");
  expect(isClosed).toBe(false);
  between?.take("s3");
  await closed;
  expect(handedOut).toEqual(["s2", "q4", "s3"]);
});

test("what was started here and is long in line is handed out: others may have room", async () => {
  const capacity = capacityOf(4);
  for (const id of ["s1", "s2"]) capacity.reserve(ada)?.take(id);
  await settled();
  await end("s1");
  for (const id of ["s3", "s4"]) capacity.reserve(ada)?.take(id);
  await settled();
  vi.advanceTimersByTime(999);
  await settled();
  expect(handedOut).toEqual([]);
  vi.advanceTimersByTime(1);
  await settled();
  expect(handedOut).toEqual(["s4"]);
  await end("s2");
  expect(begun).toEqual(["s1", "s2", "s3"]);
});

test("whoever needs its room no more leaves it before it is over, once", async () => {
  const capacity = capacityOf(2);
  capacity.reserve(ada)?.take("s1");
  await settled();
  capacity.run("q1", ada);
  expect(capacity.room()?.fullPeople).toEqual(["user:ada ada"]);
  leaves.get("s1")?.();
  leaves.get("s1")?.();
  expect([capacity.room()?.count, roomed]).toEqual([1, 1]);
  await end("s1");
  expect([capacity.room()?.count, roomed]).toEqual([1, 1]);
});

test("a team or person with nothing else at work is told of beside one with much, and only beside that", async () => {
  const capacity = capacityOf(4);
  capacity.run("first", team("loud", "grace"));
  capacity.run("of another", ada);
  expect(quiet).toEqual([]);
  capacity.run("second", team("loud", "grace"));
  // From the moment in which it is about to be started.
  const started = capacity.reserve(team("quiet", "joan"));
  expect(quiet).toEqual(["joan"]);
  started?.free();
  expect(quiet).toEqual([]);
  capacity.reserve(team("quiet", "joan"))?.take("started here");
  expect(quiet).toEqual(["joan"]);
  capacity.run("again", team("quiet", "joan"));
  capacity.run("colleague", team("loud", "hedy"));
  expect(quiet).toEqual(["joan", "hedy"]);
  await end("started here");
  await end("colleague");
  expect(quiet).toEqual([]);
  expect(capacity.isLoudBeside(team("loud", "grace"), ada)).toBe(true);
  expect(capacity.isLoudBeside(ada, team("loud", "grace"))).toBe(false);
});
