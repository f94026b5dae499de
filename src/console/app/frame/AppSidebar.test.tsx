import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { countInbox } from "../../../contract/inbox.ts";
import { aRun } from "../../../testing/builders.ts";
import { aWaitingCall, withQuestions } from "../../../testing/inbox.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();

const sidebar = () => within(screen.getByRole("complementary", { name: "Sidebar" }));
const watching = () => screen.findByRole("navigation", { name: "Watching" });
describe("the sidebar", () => {
  it("says who is signed in and for which team", async () => {
    const credential = { kind: "personal", secret: "k".repeat(20), userId: "user_ada" } as const;
    const { unmount } = renderConsole("/runs", {
      as: { credential: { ...credential, teamId: "team_harbor" } },
    });
    await screen.findByRole("heading", { level: 1, name: "Runs" });
    expect(sidebar().getByText("Ada Lovelace")).toBeInTheDocument();
    expect(sidebar().getByText("Harbor · Personal key")).toBeInTheDocument();
    unmount();
    renderConsole("/runs", { as: { credential: { ...credential, teamId: null }, userName: null } });
    await screen.findByRole("heading", { level: 1, name: "Runs" });
    expect(sidebar().getByText("user_ada")).toBeInTheDocument();
    expect(sidebar().getByText("No team · Personal key")).toBeInTheDocument();
  });

  it("has the counts of the last page at once, and counts anew", async () => {
    const store = memoryStore();
    service().override(countInbox, { waiting: 2, oldest_at: null });
    const first = renderConsole("/runs", { browser: { store } });
    await screen.findByRole("link", { name: "Inbox 2 waiting for you" }, { timeout: 10_000 });
    first.unmount();
    const before = service().seen(countInbox).length;
    renderConsole("/runs", { browser: { store } });
    await screen.findByRole("link", { name: "Inbox 2 waiting for you" });
    expect(service().seen(countInbox)).toHaveLength(before);
    service().override(countInbox, { waiting: 0, oldest_at: null });
    await screen.findByRole("link", { name: "Inbox" }, { timeout: 10_000 });
    expect(screen.getByRole("link", { name: "Knowledge" })).toBeInTheDocument();
  });

  it("counts what agents ask this person, and no more where it was answered", async () => {
    const all = withQuestions(
      service(),
      aWaitingCall(),
      aWaitingCall({ id: "ask_others", may_answer: false }),
    );
    const { user } = renderConsole("/inbox/ask_mail");
    await screen.findByRole("link", { name: "Inbox 1 waiting for you" }, { timeout: 10_000 });
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    await waitFor(() => expect(sidebar().getByRole("link", { name: "Inbox" })).toBeInTheDocument());
    expect(all.get("ask_mail")?.state).toBe("approved");
  });

  it("follows a run that somebody else started once its page is told to watch it, until it is told to stop", async () => {
    service().state.runs = [aRun({ state: "RUNNING" })];
    const { user } = renderConsole("/runs/run_hello");
    await user.click(await screen.findByRole("button", { name: "More" }));
    expect(screen.queryByRole("navigation", { name: "Watching" })).toBeNull();
    await user.click(await screen.findByRole("menuitem", { name: "Watch this run" }));
    await within(await watching()).findByRole("link", { name: /flow_hello|run_hello|Say hello/ });
    await user.click(within(await watching()).getByRole("button", { name: /^Stop watching/, hidden: true }));
    await waitFor(() => expect(screen.queryByRole("navigation", { name: "Watching" })).toBeNull());
  });

  it("stops following what ended ten minutes ago, though nothing else happens", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    try {
      service().state.runs = [aRun({ state: "DONE" })];
      const { wheelhouse } = renderConsole("/agents");
      const api = wheelhouse.api.get();
      await api?.history.begin(
        { savedItemId: "flow_hello", savedItemName: "Say hello", projectId: null, inputs: {} },
        "start_1",
      );
      await api?.history.started("start_1", "run_hello");
      await api?.history.saw("run_hello", { last: { state: "DONE", createdTs: null, finishedTs: null } });
      await watching();
      vi.advanceTimersByTime(9 * 60_000);
      expect(screen.getByRole("navigation", { name: "Watching" })).toBeInTheDocument();
      vi.advanceTimersByTime(2 * 60_000);
      await waitFor(() => expect(screen.queryByRole("navigation", { name: "Watching" })).toBeNull());
    } finally {
      vi.useRealTimers();
    }
  });
});
