import { describe, expect, it } from "vitest";
import { testClock } from "../../testing/test-clock.ts";
import { type Leave, type Outcome, Traffic } from "./traffic.ts";

const fine: Outcome = { failed: false, retryAfterMs: null };
const broken: Outcome = { failed: true, retryAfterMs: null };

function setUp({ hidden = false, random = 0 } = {}) {
  const clock = testClock();
  const state = { hidden };
  const traffic = new Traffic({ clock, random: () => random, hidden: () => state.hidden });
  const starts: number[] = [];
  const from = clock.now();
  /** A poll that ends at once, with this outcome. */
  const poll = (outcome: Outcome | undefined = fine) =>
    void traffic.enter(true).then((leave) => {
      starts.push(clock.now() - from);
      leave(outcome);
    });
  return { clock, traffic, starts, poll, state };
}

/** The most starts in any window of one second. */
function busiest(starts: readonly number[]): number {
  return Math.max(...starts.map((at) => starts.filter((one) => one >= at && one < at + 1_000).length));
}

describe("traffic", () => {
  it("C-36: lets 500 polls start at no more than 5 in any second, each in its turn", async () => {
    const { clock, starts, poll } = setUp();
    for (let i = 0; i < 500; i += 1) poll();
    await clock.pass(100_000);
    expect(starts).toHaveLength(500);
    expect(busiest(starts)).toBe(5);
  });

  it("C-36: counts a poll from when it left, however long it waited for another tab after its turn", async () => {
    const { clock, traffic, starts } = setUp();
    const waits = [900, 950, 600, 20];
    for (let i = 0; i < 40; i += 1)
      void traffic.enter(true).then((leave) => {
        clock.after(waits[i % waits.length] ?? 0, () => {
          traffic.sent(leave);
          starts.push(clock.now());
          leave(fine);
        });
      });
    await clock.pass(60_000);
    expect(starts).toHaveLength(40);
    expect(busiest(starts)).toBeLessThanOrEqual(5);
  });

  it("lets what a person does go at once, whatever waits", async () => {
    const { clock, traffic, poll } = setUp();
    for (let i = 0; i < 50; i += 1) poll();
    await clock.pass(0);
    let entered = false;
    void traffic.enter(false).then(() => {
      entered = true;
    });
    await clock.pass(0);
    expect(entered).toBe(true);
  });

  it("keeps a connection free for a click: 4 polls are under way at most", async () => {
    const { clock, traffic } = setUp();
    const leaves: Leave[] = [];
    for (let i = 0; i < 6; i += 1) void traffic.enter(true).then((leave) => leaves.push(leave));
    await clock.pass(60_000);
    expect(leaves).toHaveLength(4);
    leaves[0]?.(fine);
    await clock.pass(1_000);
    expect(leaves).toHaveLength(5);
  });

  it("C-28: starts one poll a minute in a hidden tab, and no more than 5 at once when it is shown", async () => {
    const { clock, traffic, starts, poll, state } = setUp({ hidden: true });
    for (let i = 0; i < 50; i += 1) poll();
    await clock.pass(180_000);
    expect(starts).toEqual([0, 60_000, 120_000, 180_000]);
    state.hidden = false;
    traffic.wake();
    await clock.pass(999);
    expect(starts.filter((at) => at >= 180_000).length).toBeLessThanOrEqual(5);
  });

  it("C-24: all polls wait out Retry-After together, and one that was given up waits for nothing", async () => {
    const { clock, traffic, starts, poll } = setUp({ random: 0.5 });
    poll({ failed: false, retryAfterMs: 10_000 });
    await clock.pass(0);
    for (let i = 0; i < 3; i += 1) poll();
    const controller = new AbortController();
    const aborted = traffic.enter(true, controller.signal);
    controller.abort(new Error("left the page"));
    await expect(aborted).rejects.toThrow("left the page");
    await clock.pass(11_000);
    expect(starts).toHaveLength(1);
    expect(traffic.hold.get()?.reason).toBe("asked");
    // A quarter of 10 s, at the middle of the spread.
    await clock.pass(250);
    expect(starts).toHaveLength(4);
    expect(traffic.hold.get()).toBeNull();
  });

  it("C-32: holds polls when much fails, tries with one, and is back within 10 s of recovery", async () => {
    const { clock, traffic, starts, poll } = setUp();
    for (let i = 0; i < 5; i += 1) poll(broken);
    await clock.pass(0);
    expect(traffic.hold.get()?.reason).toBe("failing");
    for (let i = 0; i < 40; i += 1) poll(broken);
    await clock.pass(60_000);
    // 5 before, then one after each of 1, 2, 4, 8, 8 … seconds.
    expect(starts.length).toBeLessThan(16);
    const before = starts.length;
    poll(fine);
    for (let i = 0; i < 40; i += 1) poll(fine);
    const stillBroken = 40 - (before - 5);
    await clock.pass(10_000 * stillBroken + 20_000);
    expect(traffic.hold.get()).toBeNull();
    expect(starts).toHaveLength(5 + 40 + 41);
  });

  it("C-32: sends nothing beside the one that tries, however many ask meanwhile", async () => {
    const { clock, traffic, poll } = setUp();
    for (let i = 0; i < 5; i += 1) poll(broken);
    await clock.pass(0);
    const entered: Leave[] = [];
    const enter = () => void traffic.enter(true).then((leave) => entered.push(leave));
    enter();
    enter();
    await clock.pass(5_000);
    enter();
    await clock.pass(5_000);
    expect(entered).toHaveLength(1);
    entered[0]?.(fine);
    await clock.pass(0);
    expect(entered).toHaveLength(3);
  });

  it("C-32: a person's request that gets through ends the pause at once", async () => {
    const { clock, traffic, starts, poll } = setUp();
    for (let i = 0; i < 5; i += 1) poll(broken);
    await clock.pass(0);
    poll();
    const leave = await traffic.enter(false);
    leave(fine);
    // The five before still count against this second.
    await clock.pass(1_000);
    expect(traffic.hold.get()).toBeNull();
    expect(starts).toHaveLength(6);
  });

  it("says nothing about the service when a request was given up here", async () => {
    const { clock, traffic, poll } = setUp();
    for (let i = 0; i < 4; i += 1) poll(broken);
    const leave = await traffic.enter(true);
    leave(undefined);
    await clock.pass(0);
    expect(traffic.hold.get()).toBeNull();
  });
});
