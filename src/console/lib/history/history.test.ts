// @vitest-environment jsdom
import "fake-indexeddb/auto";
import "../../api/jitless.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore, tabChannels } from "../../../testing/test-wheelhouse.ts";
import { Outbox } from "../../areas/conversations/outbox.ts";
import { clearAll, Drafts } from "./drafts.ts";
import { History } from "./history.ts";
import { browserStore } from "./key-value.ts";
import { parseKnownRun } from "./known-run.ts";

const start = {
  savedItemId: "flow_hello",
  savedItemName: "Say hello",
  projectId: null,
  inputs: { name: "Ada" },
};
const facts = (state: string) => ({
  last: { state, createdTs: "2026-11-20T08:15:00+00:00", finishedTs: null },
});
let names = 0;
const freshName = () => `history-${++names}`;

afterEach(() => vi.restoreAllMocks());

async function reloaded(store = memoryStore(), identity = "ada") {
  const history = new History(store, identity);
  await history.load();
  return history;
}

describe("what this browser knows of runs", () => {
  it("has a run before its start call goes out, and its id afterwards", async () => {
    const store = memoryStore();
    const history = new History(store, "ada");
    const { id } = await history.begin(start);
    expect((await store.read("")).length).toBe(1);
    await history.started(id, "run_1");
    const [run] = (await reloaded(store)).runs.get();
    expect(run).toMatchObject({ id, runId: "run_1", start: "started", provenance: "started-here", ...start });
  });

  it("does not lose a start that a reload cut off: whether it happened is unclear", async () => {
    const store = memoryStore();
    await new History(store, "ada").begin(start);
    expect((await reloaded(store)).runs.get()[0]).toMatchObject({ runId: null, start: "unclear" });
  });

  it("tells a start that was refused from one that nothing came back from", async () => {
    const history = await reloaded();
    const refused = await history.begin(start);
    const lost = await history.begin(start);
    await history.failed(refused.id, true, "There is no such flow.");
    await history.failed(lost.id, false, null);
    const byId = new Map(history.runs.get().map((run) => [run.id, run]));
    expect(byId.get(refused.id)).toMatchObject({ start: "refused", error: "There is no such flow." });
    expect(byId.get(lost.id)?.start).toBe("unclear");
  });

  it("remembers runs that were opened by their address, once each, with what was last read", async () => {
    const history = await reloaded();
    await history.saw("run_9", facts("RUNNING"));
    const [first] = history.runs.get();
    await history.saw("run_9", facts("RUNNING"));
    expect(history.runs.get()[0]).toBe(first);
    await history.saw("run_9", { ...facts("DONE"), savedItemName: "Say hello" });
    expect(history.runs.get()).toHaveLength(1);
    expect(history.runs.get()[0]).toMatchObject({
      provenance: "opened",
      savedItemName: "Say hello",
      last: { state: "DONE" },
    });
    await history.forget(first?.id ?? "");
    expect(history.runs.get()).toEqual([]);
  });

  it("keeps one person's runs from another's", async () => {
    const store = memoryStore();
    await new History(store, "ada").begin(start);
    expect((await reloaded(store, "grace")).runs.get()).toEqual([]);
  });

  it("keeps a run whose stored time is no moment, behind all others, so that no page fails over it", async () => {
    const store = memoryStore();
    const history = new History(store, "ada");
    for (const id of ["run_odd", "run_future", "run_good"]) await history.saw(id, facts("DONE"));
    for (const [key, value] of await store.read("run ada ")) {
      const run = parseKnownRun(value);
      const odd = { run_odd: 1e300, run_future: -8.64e15 - 1 }[run?.runId ?? ""];
      if (odd !== undefined)
        await store.write(key, { ...run, knownAt: odd, last: { ...run?.last, seenAt: odd } });
    }
    const { runs } = await reloaded(store);
    expect(runs.get().map(({ runId }) => runId)).toEqual(["run_good", expect.anything(), expect.anything()]);
    for (const run of runs.get()) {
      const times = [run.knownAt, run.last?.seenAt ?? 0].map((ms) => new Date(ms).toISOString());
      expect(
        times.every((time) => time >= "1970"),
        times.join(),
      ).toBe(true);
    }
  });

  it("C-30: throws corrupted entries away and keeps the others", async () => {
    const store = memoryStore();
    await new History(store, "ada").begin(start);
    for (const [i, rubbish] of [null, 5, "text", [], { id: 1 }, { version: "older" }].entries()) {
      await store.write(`run ada bad${i}`, rubbish);
    }
    expect((await reloaded(store)).runs.get()).toHaveLength(1);
    expect(await store.read("")).toHaveLength(1);
  });

  it("does not forget what was begun while it was still reading", async () => {
    const store = memoryStore();
    // Also of the same moment.
    const now = () => 1_000;
    await new History(store, "ada", now).begin(start);
    const history = new History(store, "ada", now);
    const loading = history.load();
    await history.begin(start);
    await loading;
    expect(history.runs.get()).toHaveLength(2);
    expect(history.runs.get().map((run) => run.start)).toEqual(["sending", "unclear"]);
  });
});

describe("what several tabs know of one run", () => {
  /** Two tabs that know of a run. */
  async function twoTabs() {
    const name = freshName();
    const here = new History(browserStore(name), "ada");
    const there = new History(browserStore(name), "ada");
    await here.saw("run_9", facts("RUNNING"));
    await there.load();
    const later = async () => (await reloaded(browserStore(name))).runs.get();
    return { here, there, later };
  }

  it("C-29: keeps that it is watched in one, where another notes what it read of it afterwards", async () => {
    const { here, there, later } = await twoTabs();
    await here.watch("run_9", true);
    await there.saw("run_9", facts("DONE"));
    expect(await later()).toMatchObject([{ watched: true, last: { state: "DONE" } }]);
  });

  it("C-29: remembers it once, where each of them opens it", async () => {
    const name = freshName();
    const tabs = [await reloaded(browserStore(name)), await reloaded(browserStore(name))];
    for (const tab of tabs) await tab.saw("run_9", facts("RUNNING"));
    await tabs[1]?.saw("run_9", facts("DONE"));
    expect((await reloaded(browserStore(name))).runs.get()).toMatchObject([
      { runId: "run_9", provenance: "opened", last: { state: "DONE" } },
    ]);
  });

  it("C-29: brings it back for no read of another once it was forgotten in one, and for whoever watches it", async () => {
    const { here, there, later } = await twoTabs();
    await here.forget(here.runs.get()[0]?.id ?? "");
    await there.saw("run_9", facts("DONE"));
    expect(await later()).toEqual([]);
    await there.watch("run_9", true);
    expect(await later()).toMatchObject([{ runId: "run_9", watched: true, last: { state: "DONE" } }]);
  });
});

describe("drafts", () => {
  it("survive a reload, and are gone once they are sent", async () => {
    const store = memoryStore();
    await new Drafts(store, "ada").set("message agent_7", { text: "Dear" });
    const again = new Drafts(store, "ada");
    await again.load();
    expect(again.get("message agent_7")).toEqual({ text: "Dear" });
    await again.remove("message agent_7");
    expect(await store.read("")).toEqual([]);
  });

  it("C-30: stay, and are added to, where the browser takes its database away from an open page", async () => {
    const name = freshName();
    const before = new Drafts(browserStore(name), "ada");
    await before.set("agent agent_7", { name: "Clerk" });
    await before.set("outbox int_1", ["Then this"]);
    const drafts = new Drafts(browserStore(name), "ada");
    await drafts.load();
    vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
      throw new DOMException("The connection is closing", "InvalidStateError");
    });
    await drafts.refresh("agent agent_7");
    expect([drafts.trouble.get(), drafts.get("agent agent_7")]).toEqual(["blocked", { name: "Clerk" }]);
    await drafts.change("outbox int_1", (kept) => [...(Array.isArray(kept) ? kept : []), "And this"]);
    expect(drafts.get("outbox int_1")).toEqual(["Then this", "And this"]);
  });
});

describe("the browser's storage", () => {
  it("keeps values over a reload, and clears all of them", async () => {
    const name = freshName();
    await browserStore(name).write("a 1", { x: 1 });
    await browserStore(name).write("b 1", 2);
    expect(await browserStore(name).read("a ")).toEqual([["a 1", { x: 1 }]]);
    await clearAll(browserStore(name));
    expect(await browserStore(name).read("")).toEqual([]);
  });

  it("C-26: shows nothing in one tab any more once another has cleared it, also what the one had written", async () => {
    const name = freshName();
    const here = browserStore(name);
    await here.write("draft ada message agent_7", "Dear");
    await clearAll(browserStore(name));
    expect(await here.read("")).toEqual([]);
  });

  it("C-26: clears also what another page that was left could not write any more", async () => {
    const [name, page] = [freshName(), new EventTarget()];
    const { store } = await reloaded(browserStore(name));
    vi.spyOn(indexedDB, "open").mockImplementationOnce(() => ({}) as IDBOpenDBRequest);
    void browserStore(name, page).write("draft ada message agent_7", "Dear");
    page.dispatchEvent(new Event("pagehide"));
    expect(await clearAll(store).then(() => browserStore(name).read(""))).toEqual([]);
  });

  it("takes over what was written while the page was left, and only once", async () => {
    const name = freshName();
    const page = new EventTarget();
    await browserStore(name).write("old", 1);
    // A page that is left: the database no longer answers it.
    const open = vi.spyOn(indexedDB, "open").mockImplementation(() => ({}) as IDBOpenDBRequest);
    const left = browserStore(name, page);
    void left.write("typed before", "Dear");
    page.dispatchEvent(new Event("pagehide"));
    void left.write("typed at last", "Dear Grace");
    void left.remove(["old"]);
    open.mockRestore();
    const next = browserStore(name, new EventTarget());
    expect(new Map(await next.read(""))).toEqual(
      new Map([
        ["typed before", "Dear"],
        ["typed at last", "Dear Grace"],
      ]),
    );
    await next.remove(["typed before"]);
    expect(await browserStore(name).read("")).toEqual([["typed at last", "Dear Grace"]]);
  });

  it("C-29: reads an entry anew that another tab wrote or removed, and its own where the database is away", async () => {
    const name = freshName();
    const [one, two] = [browserStore(name), browserStore(name)];
    await one.write("draft", "from one");
    await two.write("draft", "from two");
    expect(await one.read("draft")).toEqual([["draft", "from one"]]);
    expect(await one.fresh("draft")).toBe("from two");
    expect(await one.read("draft")).toEqual([["draft", "from two"]]);
    const writing = one.write("draft", "being written");
    expect(await one.fresh("draft")).toBe("being written");
    await writing;
    await two.remove(["draft"]);
    expect(await one.fresh("draft")).toBeUndefined();
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    const blocked = browserStore(freshName());
    await blocked.write("draft", 1);
    expect(await blocked.fresh("draft")).toBe(1);
  });

  it("C-29: changes an entry in one step, however many tabs do so at once", async () => {
    const name = freshName();
    const tabs = [browserStore(name), browserStore(name), browserStore(name)];
    const once = (store: (typeof tabs)[number]) => store.update("count", (kept) => Number(kept ?? 0) + 1);
    await Promise.all([...tabs, ...tabs, ...tabs].map(once));
    expect(await tabs[0]?.fresh("count")).toBe(9);
    await tabs[1]?.update("count", () => undefined);
    expect(await browserStore(name).read("")).toEqual([]);
  });

  it("C-29: lets one tab alone take a message that waits, and shows it to all", async () => {
    const name = freshName();
    const openChannel = tabChannels();
    const tabs = [1, 2, 3].map(() => {
      const drafts = new Drafts(browserStore(name), "ada", openChannel());
      const outbox = new Outbox(drafts, Date.now);
      outbox.open();
      return { drafts, outbox };
    });
    await Promise.all(tabs.map(({ drafts }) => drafts.load()));
    const message = { text: "Then this", agentId: "agent_7", agentName: null, projectId: null };
    await tabs[0]?.outbox.add("int_1", message);
    await expect.poll(() => tabs.map(({ outbox }) => outbox.of("int_1").length)).toEqual([1, 1, 1]);
    const id = tabs[0]?.outbox.of("int_1")[0]?.id ?? "";
    const claims = await Promise.all(tabs.map(({ outbox }) => outbox.claim("int_1", id)));
    expect(claims.filter((isMine) => isMine)).toHaveLength(1);
    await tabs[2]?.outbox.remove("int_1", id);
    await expect.poll(() => tabs.map(({ outbox }) => outbox.of("int_1").length)).toEqual([0, 0, 0]);
  });

  it("keeps nothing outside its database of a page that stays", async () => {
    const name = freshName();
    const page = new EventTarget();
    const store = browserStore(name, page);
    page.dispatchEvent(new Event("pagehide"));
    const written = store.write("a", 1);
    expect(Object.keys(localStorage).filter((key) => key.startsWith(name))).toHaveLength(1);
    await written;
    expect(Object.keys(localStorage).filter((key) => key.startsWith(name))).toEqual([]);
  });

  it.each([
    ["blocked", new DOMException("denied", "SecurityError")],
    ["full", new DOMException("no room", "QuotaExceededError")],
    ["failing", new Error("corrupted")],
  ] as const)("C-30: goes on in memory, with a word, when it is %s", async (trouble, error) => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw error;
    });
    const store = browserStore(freshName());
    await store.write("a", 1);
    await store.write("b", 2);
    await store.remove(["b"]);
    expect(await store.read("")).toEqual([["a", 1]]);
    expect(store.trouble.get()).toBe(trouble);
  });

  it("C-30: keeps what was written, and shows what was kept, once a database that was slow has answered", async () => {
    const name = freshName();
    const before = new History(browserStore(name), "ada");
    await before.begin(start);
    const [[forgotten] = [""]] = await browserStore(name).read("");
    await before.begin(start);
    const held = slowDatabase();
    const store = browserStore(name);
    const history = new History(store, "ada");
    await history.load();
    await store.write("draft", "typed meanwhile");
    await store.remove([forgotten]);
    expect([store.trouble.get(), history.runs.get()]).toEqual(["failing", []]);
    await held.release();
    await expect.poll(() => history.runs.get()).toHaveLength(1);
    expect(forgotten).not.toContain(history.runs.get()[0]?.id);
    expect(store.trouble.get()).toBeNull();
    vi.restoreAllMocks();
    await expect.poll(() => browserStore(name).read("")).toContainEqual(["draft", "typed meanwhile"]);
    expect(await browserStore(name).fresh(forgotten)).toBeUndefined();
  });

  it("C-30: brings what was kept and what was typed together once a database that was slow has answered", async () => {
    const name = freshName();
    await new Drafts(browserStore(name), "ada").set("message agent_7", "Dear");
    const held = slowDatabase();
    const drafts = new Drafts(browserStore(name), "ada");
    await drafts.load();
    const bothTexts = (kept: unknown, typed: unknown) => `${kept} ${typed}`;
    await drafts.set("message agent_7", "Grace", bothTexts);
    expect([drafts.isKnown.get(), drafts.get("message agent_7")]).toEqual([false, "Grace"]);
    await held.release();
    await expect.poll(() => drafts.get("message agent_7")).toBe("Dear Grace");
    vi.restoreAllMocks();
    const again = new Drafts(browserStore(name), "ada");
    await again.load();
    expect(again.get("message agent_7")).toBe("Dear Grace");
  });

  it("C-30: never makes a start wait for a database that does not answer", async () => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => ({}) as IDBOpenDBRequest);
    const history = new History(browserStore(freshName()), "ada");
    const from = performance.now();
    await history.begin(start);
    expect(performance.now() - from).toBeLessThan(3_000);
    expect(history.trouble.get()).toBe("failing");
    expect(history.runs.get()).toHaveLength(1);
  });
});

/** A database that opens, and says so only when it is let go. */
function slowDatabase(): { release: () => Promise<void> } {
  const open = indexedDB.open.bind(indexedDB);
  const held: (() => Promise<void>)[] = [];
  vi.spyOn(indexedDB, "open").mockImplementation((name) => {
    const request = open(name);
    const opened = new Promise((resolve) => {
      request.onsuccess = resolve;
    });
    const seen = {
      get result() {
        return request.result;
      },
    } as IDBOpenDBRequest;
    request.onupgradeneeded = (event) => seen.onupgradeneeded?.call(request, event);
    held.push(async () => {
      await opened;
      seen.onsuccess?.call(request, new Event("success"));
    });
    return seen;
  });
  return {
    release: async () => {
      for (const one of held) await one();
    },
  };
}
