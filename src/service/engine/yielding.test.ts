import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { personKey, type Tenant } from "./shares.ts";
import { createYielding } from "./yielding.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const loud: Tenant = { limitKey: "team:annex", person: "grace" };
const quiet: Tenant = { limitKey: "team:harbor", person: "ada" };

function yieldingOf() {
  const told: string[] = [];
  const yielding = createYielding({
    process: "here",
    mustYield: (tenant) => tenant === loud,
    tell: (hold, tenant) => void told.push(`${hold} ${personKey(tenant)}`),
  });
  /** What waits for its turn, with whether it has it. */
  const asks = (tenant: Tenant) => {
    const asked = { went: false };
    void yielding.giveWay(tenant).then(() => {
      asked.went = true;
    });
    return async () => {
      await new Promise(setImmediate);
      return asked.went;
    };
  };
  return { yielding, told, asks };
}

test("whoever has much at work waits until a quiet one's work is over, and others do not wait", async () => {
  const { yielding, told, asks } = yieldingOf();
  const over = yielding.onQuiet(quiet);
  const [waits, goes] = [asks(loud), asks(quiet)];
  expect(await waits()).toBe(false);
  expect(await goes()).toBe(true);
  over();
  expect(await waits()).toBe(true);
  expect(await asks(loud)()).toBe(true);
  expect(told).toEqual(["hold team:harbor ada", "resume team:harbor ada"]);
});

test("who starts one after the other does not meet them all in between, and other processes are told in time", async () => {
  const { yielding, told, asks } = yieldingOf();
  yielding.onQuiet(quiet)();
  vi.advanceTimersByTime(49);
  expect(told.splice(0)).toHaveLength(2);
  for (let nth = 0; nth < 10; nth++) {
    const over = yielding.onQuiet(quiet);
    vi.advanceTimersByTime(9);
    over();
    const waits = asks(loud);
    vi.advanceTimersByTime(9);
    expect(await waits()).toBe(false);
  }
  // After 90 of the 150 ms for which they wait.
  expect(told).toEqual(["hold team:harbor ada", "hold team:harbor ada"]);
  vi.advanceTimersByTime(1);
  expect(await asks(loud)()).toBe(true);
  expect(told.at(-1)).toBe("resume team:harbor ada");
});

test("who starts now and then is not waited for in between", async () => {
  const { yielding, told, asks } = yieldingOf();
  for (let nth = 0; nth < 3; nth++) {
    const over = yielding.onQuiet(quiet);
    const waits = asks(loud);
    expect(await waits()).toBe(false);
    over();
    expect(await waits()).toBe(true);
    // Meanwhile another one begins and ends: each is looked at for itself.
    yielding.onQuiet({ ...quiet, person: `person ${nth}` })();
    vi.advanceTimersByTime(50);
  }
  expect(told.filter((one) => one.endsWith(" ada"))).toHaveLength(6);
});

test("where they have waited for long of late, nothing is kept free in between", async () => {
  const { yielding, asks } = yieldingOf();
  const inBetween: boolean[] = [];
  for (let ms = 0; ms < 6_000; ms += 10) {
    const over = yielding.onQuiet(quiet);
    vi.advanceTimersByTime(10);
    over();
    inBetween.push(!(await asks(loud)()));
  }
  // The first is none of a row. Of the five seconds that are kept half a second goes in each second.
  expect(inBetween.shift()).toBe(false);
  expect(inBetween.indexOf(false)).toBeGreaterThan(490);
  expect(inBetween.slice(505)).not.toContain(true);
});

test("S-320: one step waits no longer than what is short takes, however many follow each other", async () => {
  const { yielding, asks } = yieldingOf();
  yielding.onHold("hold", "there", quiet);
  const waits = asks(loud);
  for (let ms = 0; ms < 149; ms++) {
    vi.advanceTimersByTime(1);
    yielding.onHold("hold", "there", quiet);
  }
  expect(await waits()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await waits()).toBe(true);
  expect(await asks(loud)()).toBe(false);
});

test("it waits for what is quiet in another process too, and for its own word but once", async () => {
  const { yielding, asks } = yieldingOf();
  yielding.onHold("hold", "here", quiet);
  expect(await asks(loud)()).toBe(true);
  yielding.onHold("hold", "there", quiet);
  yielding.onHold("hold", "elsewhere", quiet);
  const waits = asks(loud);
  yielding.onHold("resume", "there", quiet);
  expect(await waits()).toBe(false);
  yielding.onHold("resume", "elsewhere", quiet);
  expect(await waits()).toBe(true);
});

test("S-320: it waits no longer than what is short takes, whatever became of the other's end", async () => {
  const { yielding, asks } = yieldingOf();
  yielding.onHold("hold", "there", quiet);
  const waits = asks(loud);
  vi.advanceTimersByTime(149);
  expect(await waits()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await waits()).toBe(true);
});

test("S-320: over a minute it waits for no more than half of the time, however much is quiet", async () => {
  const { yielding, asks } = yieldingOf();
  let waited = 0;
  for (let ms = 0; ms < 60_000; ms += 10) {
    // Another one each time: there is always something quiet at work.
    const over = yielding.onQuiet(quiet);
    const waits = asks(loud);
    if (!(await waits())) waited += 10;
    vi.advanceTimersByTime(10);
    over();
  }
  // Half a minute, and what it had not waited before.
  expect(waited).toBeGreaterThan(30_000);
  expect(waited).toBeLessThanOrEqual(35_100);
});
