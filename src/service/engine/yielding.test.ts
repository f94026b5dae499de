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
