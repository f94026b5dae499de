import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentStatus } from "../../../contract/interactions.ts";
import { getRun, killPipeline, type Run } from "../../../contract/run.ts";
import { aDoneRun, aRun } from "../../../testing/builders.ts";
import { deferred } from "../../../testing/deferred.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

/** The browser's notifications, as far as the console uses them. */
class FakeNotification {
  static permission: NotificationPermission = "granted";
  static answer: NotificationPermission = "granted";
  static asked = 0;
  static shown: FakeNotification[] = [];
  static requestPermission = async () => {
    FakeNotification.asked += 1;
    FakeNotification.permission = FakeNotification.answer;
    return FakeNotification.answer;
  };
  onclick: (() => void) | null = null;
  isClosed = false;
  readonly title: string;
  readonly options: NotificationOptions;
  constructor(title: string, options: NotificationOptions) {
    this.title = title;
    this.options = options;
    FakeNotification.shown.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

const icon = document.createElement("link");
const setHidden = (isHidden: boolean) => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(isHidden ? "hidden" : "visible");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
};

beforeEach(() => {
  Object.assign(FakeNotification, { permission: "granted", answer: "granted", asked: 0, shown: [] });
  vi.stubGlobal("Notification", FakeNotification);
  vi.stubGlobal("isSecureContext", true);
  vi.spyOn(window, "focus").mockImplementation(() => {});
  localStorage.setItem("wheelhouse:ends", "on");
  icon.rel = "icon";
  icon.setAttribute("href", "/icon.svg");
  document.head.append(icon);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});

/** Opens a page while a run that was started here goes on, and waits until it is watched. */
async function watching(address: string) {
  service().state.runs = [aRun({ state: "RUNNING" })];
  const view = renderConsole(address);
  await start(view);
  await within(await screen.findByRole("navigation", { name: "Watching" })).findByRole("link", {
    name: /running Say hello/,
  });
  return view;
}

async function start({ wheelhouse }: ReturnType<typeof renderConsole>) {
  const history = wheelhouse.api.get()?.history;
  const start = { savedItemId: "flow_hello", savedItemName: "Say hello", projectId: null, inputs: {} };
  await act(async () => {
    const { id } = (await history?.begin(start)) ?? { id: "" };
    await history?.started(id, "run_hello");
  });
}

/** The sidebar shows how the run ended. */
const ended = (word: string) => screen.findByRole("link", { name: new RegExp(`${word} Say hello`) });
const isPlain = () => !document.title.startsWith("(") && icon.getAttribute("href") === "/icon.svg";

describe("when what I watch ends", () => {
  it("tells me on another page, with how it ended and how long it took, and leads there", async () => {
    const { router } = await watching("/runs/compare");
    service().state.runs = [aDoneRun()];
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1));
    const [note] = FakeNotification.shown;
    expect(note).toMatchObject({
      title: "Say hello · done",
      options: { body: "After 4 s", tag: "run run_hello" },
    });
    await waitFor(() => expect(document.title).toMatch(/^\(1\) Compare/));
    expect(icon.getAttribute("href")).toBe("/icon-news.svg");
    await act(async () => note?.onclick?.());
    expect(router.state.location.pathname).toBe("/runs/run_hello");
    await waitFor(() => expect(document.title).toBe("done · Say hello · Wheelhouse"));
    expect(isPlain()).toBe(true);
    expect(note?.isClosed).toBe(true);
  });

  it("keeps the number while I go on to other pages, and drops it on the page itself", async () => {
    const { router } = await watching("/runs/compare");
    service().state.runs = [aDoneRun()];
    await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
    await act(() => router.navigate({ to: "/runs/new" }));
    await waitFor(() => expect(document.title).toMatch(/^\(1\) Start/));
    await act(() => router.navigate({ to: "/runs/$runId", params: { runId: "run_hello" } }));
    await waitFor(() => expect(isPlain()).toBe(true));
  });

  it("says nothing on the page of the run that I look at", async () => {
    await watching("/runs/run_hello");
    service().state.runs = [aDoneRun()];
    await ended("done");
    expect(FakeNotification.shown).toEqual([]);
    expect(isPlain()).toBe(true);
  });

  it("tells me of the run on this page while the tab is hidden, until I come back", async () => {
    await watching("/runs/run_hello");
    // A hidden tab asks once a minute; here its answer comes when the test says so.
    const { promise: late, resolve: answer } = deferred<Run>();
    let isAsked = false;
    service().override(getRun, () => {
      isAsked = true;
      return late;
    });
    await waitFor(() => expect(isAsked).toBe(true));
    setHidden(true);
    answer(aDoneRun());
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1));
    await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
    setHidden(false);
    await waitFor(() => expect(isPlain()).toBe(true));
    expect(FakeNotification.shown[0]?.isClosed).toBe(true);
  });

  it("says nothing after a kill that I asked for", async () => {
    service().override(killPipeline, { success: true, run_id: "run_hello" });
    const { user } = await watching("/runs/run_hello");
    const [kill] = await screen.findAllByRole("button", { name: "Stop run" });
    if (kill) await user.click(kill);
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Stop run" }));
    await screen.findByText("Stop requested");
    await user.click(screen.getByRole("link", { name: "Artifacts" }));
    service().override(getRun, aRun({ state: "TERMINATED", finished_ts: "2026-11-20T08:15:04+00:00" }));
    await ended("stopped");
    expect(FakeNotification.shown).toEqual([]);
    expect(isPlain()).toBe(true);
  });

  it("says nothing until I choose it", async () => {
    localStorage.clear();
    await watching("/runs/compare");
    service().state.runs = [aDoneRun()];
    await ended("done");
    expect(FakeNotification.shown).toEqual([]);
    expect(isPlain()).toBe(true);
  });

  it("tells of a conversation by agent and first words, and keeps a key in them to itself", async () => {
    for (const [message, body] of [
      ["Which berths are free?", "Which berths are free?"],
      ["use sk-ant-api03-abcdefghijklmnop", ""],
    ] as const) {
      FakeNotification.shown = [];
      const talk = { interaction_id: "int_1", messages: [], error_message: null };
      service().override(agentStatus, { ...talk, state: "ASYNC_PROCESSING" } as never);
      const { wheelhouse, unmount } = renderConsole("/runs/compare", {
        as: { known: { named: [], tried: {} } },
      });
      const conversations = wheelhouse.api.get()?.conversations;
      await act(async () => {
        const start = { id: "key_1", agentId: "agent_1", agentName: "Clerk", projectId: null, message };
        await conversations?.begin(start);
        await conversations?.started("key_1", "int_1");
      });
      await screen.findByRole("link", { name: /running Clerk/ });
      service().override(agentStatus, { ...talk, state: "COMPLETED" } as never);
      await waitFor(() => expect(FakeNotification.shown).toHaveLength(1));
      expect(FakeNotification.shown[0]).toMatchObject({ title: "Clerk · done", options: { body } });
      unmount();
    }
  });
});

describe("the setting", () => {
  const choose = async () => {
    const { user } = renderConsole("/runs/compare");
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    const name = "Notify me when a run or conversation I watch ends";
    const item = await screen.findByRole("menuitemcheckbox", { name });
    return { user, item };
  };

  it("is off until chosen, and asks the browser only on that click", async () => {
    localStorage.clear();
    FakeNotification.permission = "default";
    const { user, item } = await choose();
    expect(item).not.toBeChecked();
    expect(FakeNotification.asked).toBe(0);
    await user.click(item);
    expect(item).toBeChecked();
    expect(FakeNotification.asked).toBe(1);
    expect(localStorage.getItem("wheelhouse:ends")).toBe("on");
    await waitFor(() => expect(item).not.toHaveAccessibleDescription());
    await user.click(item);
    expect(localStorage.getItem("wheelhouse:ends")).toBe("off");
    expect(FakeNotification.asked).toBe(1);
  });

  it.each([
    ["denied", /blocks notifications from this page. Allow them in the site settings/],
    ["default", /Turn this off and on to be asked again/],
  ] as const)("says plainly what to do where the answer is %s", async (answer, words) => {
    localStorage.clear();
    Object.assign(FakeNotification, { permission: "default", answer });
    const { user, item } = await choose();
    await user.click(item);
    await waitFor(() => expect(item).toHaveAccessibleDescription(words));
    expect(item).toBeChecked();
  });

  it("says that a page over plain HTTP has no notifications", async () => {
    vi.stubGlobal("isSecureContext", false);
    const { item } = await choose();
    expect(item).toHaveAccessibleDescription(/only over https or on localhost/);
  });
});
