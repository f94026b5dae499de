// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aRunSummary } from "../../testing/builders.ts";
import { browser, pass, someService, twoOnTheList, until } from "../../testing/tabs-of-a-browser.ts";
import { runQueries } from "../areas/runs/queries.ts";
import type { SignedIn } from "../areas/session/signed-in.ts";

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    now: Date.UTC(2026, 4, 1),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("an answer for another", () => {
  const others: Record<string, Partial<SignedIn>> = {
    "with another key": {
      credential: { kind: "personal", secret: "another-key-of-ada-987654", userId: "user_ada", teamId: null },
    },
    "of another person": {
      credential: {
        kind: "personal",
        secret: "test-key-of-ada-0123456789",
        userId: "user_bob",
        teamId: null,
      },
    },
    "for a team": {
      credential: {
        kind: "personal",
        secret: "test-key-of-ada-0123456789",
        userId: "user_ada",
        teamId: "team_1",
      },
    },
    "on another connection": { connection: { name: "Else", path: "/upstream/x/api/v1", kind: "upstream" } },
  };

  it.each(Object.keys(others))("is not taken by a tab %s", async (which) => {
    const service = someService();
    const { tab } = browser(service);
    for (const { list } of [tab(), tab(others[which])]) list.subscribe(() => {});
    await pass(10);
    service.asked.length = 0;
    await pass(10_500);
    // Each every 2 s, 10 % sooner or later.
    expect(service.polls()).toBeGreaterThanOrEqual(8);
  });

  it("names the key nowhere", async () => {
    const { channels } = await twoOnTheList();
    await pass(5_000);
    expect(channels.said.length).toBeGreaterThan(1);
    expect(JSON.stringify(channels.said)).not.toContain("test-key-of-ada");
  });
});

describe("a tab takes no answer", () => {
  it("that was asked before something was changed in it", async () => {
    const { service, first, second, channels } = await twoOnTheList();
    channels.state.delay = true;
    await until(() => service.polls() === 1);
    const other = first.checkedAt() > second.checkedAt() ? second : first;
    const before = other.checkedAt();
    await pass(5);
    await other.act(async () => {});
    channels.deliver();
    await pass(5);
    expect(other.checkedAt()).toBe(before);
  });

  it("while something is being changed in it", async () => {
    const { second } = await twoOnTheList();
    void second.act(() => new Promise(() => {}));
    second.own.polls = 0;
    await pass(10_500);
    expect(second.own.polls).toBeGreaterThanOrEqual(4);
  });

  it("after a change of its own but what it asks itself", async () => {
    const { service, first, second } = await twoOnTheList();
    service.isHeld = true;
    await until(() => service.polls() === 1);
    await pass(100);
    const other = first.own.polls === 1 ? second : first;
    await other.act(async () => {
      service.state.names = ["changed"];
    });
    service.isHeld = false;
    void other.wheelhouse.queries.invalidateQueries({ queryKey: runQueries.list(other.api).queryKey });
    await pass(5);
    expect(service.polls()).toBe(2);
    expect(other.names()).toEqual(["changed"]);
  });

  it("while it is paused", async () => {
    const { service, first, second } = await twoOnTheList();
    const { situation } = second.api.polling;
    situation.set({ ...situation.get(), setting: "paused" });
    service.state.names = ["later"];
    await pass(6_000);
    expect(first.names()).toEqual(["later"]);
    expect(second.names()).toEqual(["first"]);
  });

  it("while it is hidden, and asks for nothing either", async () => {
    const { service, first, second } = await twoOnTheList();
    second.hide(true);
    service.state.names = ["later"];
    await pass(6_000);
    expect(first.names()).toEqual(["later"]);
    expect(second.names()).toEqual(["first"]);
    second.hide(false);
    await pass(3_000);
    expect(second.names()).toEqual(["later"]);
  });

  it("of an open run while it is hidden: it rests as it would alone", async () => {
    const service = someService();
    const { tab } = browser(service);
    const [first, second] = [tab(), tab()];
    for (const { run } of [first, second]) run.subscribe(() => {});
    await pass(1_000);
    second.hide(true);
    service.state.names = ["later"];
    await pass(5_000);
    expect([first.lines(), second.lines()]).toEqual([["later"], ["first"]]);
    await pass(65_000);
    expect(second.lines()).toEqual(["later"]);
  });

  it("that says that what it does not have is unchanged", async () => {
    const { service, first, second, channels } = await twoOnTheList();
    channels.state.delay = true;
    service.state.names = ["unheard"];
    await until(() => [first, second].some(({ names }) => names()?.[0] === "unheard"));
    channels.state.delay = false;
    await pass(5_000);
    expect([first.names(), second.names()]).toEqual([["unheard"], ["unheard"]]);
  });

  it("that would cost more to tell than to ask", async () => {
    const { service, first, second, channels } = await twoOnTheList();
    channels.said.length = 0;
    service.state.body = {
      runs: [aRunSummary({ run_id: "run_long", saved_item_name: "ü".repeat(260_000), state: "RUNNING" })],
      next_cursor: null,
    };
    await pass(5_000);
    for (const { names } of [first, second]) expect(names()?.[0]).toHaveLength(260_000);
    expect(JSON.stringify(channels.said).length).toBeLessThan(5_000);
  });
});
