// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aRunSummary } from "../../testing/builders.ts";
import { browser, pass, someService, twoOnTheList, until } from "../../testing/tabs-of-a-browser.ts";
import { runQueries } from "../areas/runs/queries.ts";

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    now: Date.UTC(2026, 4, 1),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("two tabs on one page", () => {
  it("ask once, and both show what is new at the same time", async () => {
    const { service, first, second } = await twoOnTheList();
    await pass(20_000);
    // Every 2 s, 10 % sooner or later.
    expect(service.polls()).toBeGreaterThanOrEqual(9);
    expect(service.polls()).toBeLessThanOrEqual(11);
    service.state.names = ["first", "new"];
    await until(() => first.names()?.length === 2);
    await pass(5);
    expect(second.names()).toEqual(["first", "new"]);
    expect(Math.abs(first.checkedAt() - second.checkedAt())).toBeLessThan(5);
  });

  it("ask once where both would ask at the same moment", async () => {
    const service = someService();
    const { tab } = browser(service);
    for (const { list } of [tab(), tab(), tab()]) list.subscribe(() => {});
    await pass(10);
    service.asked.length = 0;
    await pass(20_000);
    expect(service.polls()).toBeLessThanOrEqual(11);
  });

  it("ask once for an open run, whose log both have", async () => {
    const service = someService();
    const { tab } = browser(service);
    const tabs = [tab(), tab()];
    for (const { run } of tabs) run.subscribe(() => {});
    await pass(100);
    service.asked.length = 0;
    service.state.names = ["first", "second line"];
    await pass(4_000);
    for (const { lines } of tabs) expect(lines()).toEqual(["first", "second line"]);
    // Every half a second.
    expect(service.polls()).toBeGreaterThanOrEqual(6);
    expect(service.polls()).toBeLessThanOrEqual(10);
  });

  it("go on alone when the other is closed", async () => {
    const { service, first, second } = await twoOnTheList();
    await pass(6_000);
    first.list.destroy();
    service.asked.length = 0;
    service.state.names = ["later"];
    await pass(10_000);
    expect(service.polls()).toBeGreaterThanOrEqual(4);
    expect(second.names()).toEqual(["later"]);
  });

  it("are told the same of what was damaged", async () => {
    const { service, first, second } = await twoOnTheList();
    service.state.body = { runs: [{ ...aRunSummary({}), state: 7 }], next_cursor: null };
    await pass(3_000);
    expect(service.polls()).toBe(1);
    expect(first.list.getCurrentResult().data?.damage).toHaveLength(1);
    expect(second.list.getCurrentResult().data?.damage).toEqual(first.list.getCurrentResult().data?.damage);
  });
});

describe("a tab that another hangs", () => {
  it("asks for itself after a while, and does not wait again for a tab that hangs", async () => {
    const service = someService();
    const { tab } = browser(service);
    const { list, own } = tab();
    list.subscribe(() => {});
    await pass(10);
    own.isHanging = true;
    await until(() => own.polls === 1);
    const other = tab();
    other.list.subscribe(() => {});
    await pass(10);
    service.state.names = ["later"];
    // Its poll is due in 2 s, and it waits as long for the tab that hangs.
    await pass(4_500);
    expect(other.names()).toEqual(["later"]);
    service.asked.length = 0;
    await pass(6_700);
    expect(service.polls()).toBeGreaterThanOrEqual(3);
  });

  it("does not wait for one whose person is asked for another key", async () => {
    const service = someService();
    const { tab } = browser(service);
    const refused = tab();
    refused.list.subscribe(() => {});
    await pass(10);
    refused.own.isRefused = true;
    await until(() => refused.own.polls === 1);
    const other = tab();
    other.list.subscribe(() => {});
    await pass(10);
    service.state.names = ["later"];
    await pass(2_300);
    expect(other.names()).toEqual(["later"]);
  });

  it("asks for itself when the one that asked is closed in the middle", async () => {
    const { service, first, second } = await twoOnTheList();
    await pass(200);
    service.isHeld = true;
    await until(() => service.polls() === 1);
    await pass(300);
    service.isHeld = false;
    service.state.names = ["later"];
    const [gone, other] = first.own.polls === 1 ? [first, second] : [second, first];
    gone.list.destroy();
    await pass(2_600);
    expect(other.names()).toEqual(["later"]);
  });

  it("sees each error for itself", async () => {
    const { service, first, second } = await twoOnTheList();
    service.state.status = 500;
    await pass(3_000);
    expect(first.error()).not.toBeNull();
    expect(second.error()).not.toBeNull();
    service.state.status = 200;
    await pass(10_000);
    expect([first.error(), second.error()]).toEqual([null, null]);
  });

  it("asks no more often than alone while the service is down", async () => {
    const alone = someService();
    const { tab } = browser(alone);
    tab().list.subscribe(() => {});
    await pass(10);
    alone.state.status = 500;
    alone.asked.length = 0;
    await pass(60_000);
    const service = someService();
    const several = browser(service);
    for (const { list } of [several.tab(), several.tab(), several.tab()]) list.subscribe(() => {});
    await pass(10);
    service.state.status = 500;
    service.asked.length = 0;
    await pass(60_000);
    expect(service.polls()).toBeLessThanOrEqual(3 * alone.polls() + 3);
  });
});

describe("an answer that comes by another way than the lock", () => {
  it("is waited for a little, and then not asked for again", async () => {
    const service = someService();
    const { tab, channels } = browser(service);
    const tabs = [tab(), tab()];
    for (const { list } of tabs) list.subscribe(() => {});
    await pass(10);
    service.asked.length = 0;
    channels.state.delay = true;
    await until(() => service.polls() === 1);
    // The lock is free by now.
    await pass(60);
    channels.deliver();
    await pass(500);
    expect(service.polls()).toBe(1);
    for (const { list } of tabs) expect(list.getCurrentResult().isFetching).toBe(false);
  });

  it("is asked for where it never comes", async () => {
    const service = someService();
    const { tab, channels } = browser(service);
    for (const { list } of [tab(), tab()]) list.subscribe(() => {});
    await pass(10);
    service.asked.length = 0;
    channels.state.delay = true;
    await until(() => service.polls() === 1);
    await pass(300);
    expect(service.polls()).toBe(2);
  });
});

describe("a person who reads anew", () => {
  it("asks at once, and the other tabs have the answer too", async () => {
    const { service, first, second } = await twoOnTheList();
    await pass(100);
    service.state.names = ["now"];
    void first.wheelhouse.queries.invalidateQueries({ queryKey: runQueries.list(first.api).queryKey });
    await pass(5);
    expect(service.polls()).toBe(1);
    expect([first.names(), second.names()]).toEqual([["now"], ["now"]]);
  });
});
