import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { listArtifacts } from "../../../contract/artifacts.ts";
import { listModels, offlineModel } from "../../../contract/models.ts";
import { listRuns } from "../../../contract/runs.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { startPipeline } from "../../../contract/start-pipeline.ts";
import { anArtifact } from "../../../testing/access.ts";
import { withAdmin } from "../../../testing/admin.ts";
import { aFlow, anAgent, aRunSummary } from "../../../testing/builders.ts";
import { aSession } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse } from "../../../testing/test-wheelhouse.ts";
import { Store } from "../../api/store.ts";
import type { StorageTrouble } from "../../lib/history/key-value.ts";

const service = mockServicePerTest();

const steps = () => screen.findByRole("region", { name: "First steps" });
const step = async (name: string) => {
  const item = (await within(await steps()).findByText(name)).closest("li");
  if (item === null) throw new Error(`no step ${name}`);
  return within(item);
};
const someRun = () =>
  service().override(listRuns, { runs: [aRunSummary({ state: "DONE" })], next_cursor: null });
const someConversation = () =>
  service().override(listSessions, {
    sessions: [
      {
        ...{ id: "int_1", agent_id: "agent_scribe", agent_name: "Scribe", name: "Notes", type: "console" },
        ...{ state: "completed", created_at: "2026-11-20T08:00:00Z", creator: null },
      },
    ],
    next_cursor: null,
  });

describe("the first steps", () => {
  beforeEach(() => {
    const { state } = service();
    state.flows.length = 0;
    state.flows.push({ item: aFlow({ saved_item_id: "flow_hello", name: "Say hello" }), inputs: [] });
    state.agents.length = 0;
    state.agents.push(
      anAgent({ id: "agent_analyst", name: "Analyst" }),
      anAgent({ id: "agent_scribe", name: "Scribe" }),
    );
    service().override(listRuns, { runs: [], next_cursor: null });
    service().override(listArtifacts, { artifacts: [], next_cursor: null });
  });

  it("start the sample flow with one click and show its run", async () => {
    const { user, router } = renderConsole("/");
    await user.click(await (await step("Start a run")).findByRole("button", { name: "Start “Say hello”" }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/runs\/./));
    const [start, ...others] = service().seen(startPipeline);
    expect(start?.url.searchParams.get("saved_item_id")).toBe("flow_hello");
    expect(others).toEqual([]);
  });

  it("offer no flow to choose where the service has none, and say how flows come to be", async () => {
    service().state.flows.length = 0;
    renderConsole("/");
    const run = await step("Start a run");
    await run.findByText(/^The service has no flows yet/);
    expect(run.queryByRole("link")).toBeNull();
    expect(
      (await step("Talk to an agent")).getByRole("link", { name: "Talk to Scribe" }),
    ).toBeInTheDocument();
  });

  it("lead to a first agent where there is none", async () => {
    service().state.agents.length = 0;
    renderConsole("/");
    const talk = await step("Talk to an agent");
    expect(await talk.findByRole("link", { name: "New agent" })).toHaveAttribute("href", "/agents/new");
    expect(talk.queryByRole("link", { name: "Choose an agent" })).toBeNull();
  });

  it("keep a name beside the words of its button", async () => {
    renderConsole("/");
    // What stands in a button side by side has a gap between.
    for (const [name, role, words] of [
      ["Start a run", "button", "Start “Say hello”"],
      ["Talk to an agent", "link", "Talk to Scribe"],
    ] as const) {
      const button = await (await step(name)).findByRole(role, { name: words });
      const sentence = button.querySelector("bdi")?.parentElement;
      expect(sentence).not.toBe(button);
      expect(sentence).toHaveTextContent(words);
    }
  });

  it("say why the sample flow did not start, and start it again at the next click", async () => {
    service().override(startPipeline, new Refusal("forbidden", { message: "No runs today" }), { times: 1 });
    const { user, router } = renderConsole("/");
    const run = await step("Start a run");
    await user.click(await run.findByRole("button", { name: /^Start “/ }));
    await run.findByText("The run was not started");
    expect(run.getByText(/No runs today/)).toBeInTheDocument();
    await user.click(run.getByRole("button", { name: /^Start “/ }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/runs\/./));
  });

  it("lead to a conversation with the sample's agent, and say how to connect a model where none is", async () => {
    service().state.models.splice(0, Number.POSITIVE_INFINITY, offlineModel);
    renderConsole("/");
    const talk = await step("Talk to an agent");
    expect(await talk.findByRole("link", { name: "Talk to Scribe" })).toHaveAttribute(
      "href",
      "/agents/agent_scribe/conversations/new",
    );
    expect(await talk.findByText("No model is connected.")).toBeInTheDocument();
    expect(talk.getByText("ANTHROPIC_API_KEY=… npm start")).toBeInTheDocument();
  });

  it("say nothing of a missing model where one is connected", async () => {
    service().state.models.splice(0, Number.POSITIVE_INFINITY, offlineModel, "anthropic/some-model");
    renderConsole("/");
    const talk = await step("Talk to an agent");
    await talk.findByRole("link", { name: "Talk to Scribe" });
    await waitFor(() => expect(service().seen(listModels)).not.toHaveLength(0));
    expect(talk.queryByText("No model is connected.")).toBeNull();
  });

  it("stand above what ran until somebody has talked to an agent too", async () => {
    someRun();
    renderConsole("/");
    expect(await (await step("Start a run")).findByText(", done")).toBeInTheDocument();
    expect((await step("Talk to an agent")).queryByText(", done")).toBeNull();
    expect(screen.getByRole("heading", { name: "Nothing needs you" })).toBeInTheDocument();
  });

  it("are not there where somebody has done both, whoever it was", async () => {
    someRun();
    someConversation();
    renderConsole("/");
    await screen.findByRole("heading", { name: "Nothing needs you" });
    await waitFor(() => expect(service().seen(listSessions)).not.toHaveLength(0));
    await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
  });

  it("go on to look at a file and share it for whom they led, and go when that is done", async () => {
    const store = memoryStore();
    const first = renderConsole("/", { browser: { store } });
    expect(await (await step("Open a file")).findByText(/Ask Scribe to write a file/)).toBeInTheDocument();
    first.unmount();

    someRun();
    someConversation();
    const file = anArtifact({ id: "art_1", filename: "notes.md", agent_id: "agent_scribe" });
    service().server.use(http.get("*/api/v1/files/art_rates", () => new HttpResponse("notes")));
    service().override(listArtifacts, ({ query }) => ({
      artifacts: query.shared_by_me ? [] : [file],
      next_cursor: null,
    }));
    const second = renderConsole("/", { browser: { store } });
    expect(await (await step("Open a file")).findByRole("link", { name: "Open notes.md" })).toHaveAttribute(
      "href",
      "/artifacts/art_1?agent=agent_scribe",
    );
    expect((await step("Share it")).getByRole("link", { name: "Share notes.md" })).toHaveAttribute(
      "href",
      "/artifacts/art_1?agent=agent_scribe&share=art_1",
    );
    expect((await step("Open a file")).queryByText(", done")).toBeNull();
    await second.user.click((await step("Open a file")).getByRole("link", { name: "Open notes.md" }));
    second.unmount();
    const third = renderConsole("/", { browser: { store } });
    expect(await (await step("Open a file")).findByText(", done")).toBeInTheDocument();
    third.unmount();

    const sharing = { people: 1, teams: 0, organization: false, link: "none" as const };
    service().override(listArtifacts, { artifacts: [{ ...file, sharing }], next_cursor: null });
    renderConsole("/", { browser: { store } });
    await screen.findByRole("heading", { name: "Nothing needs you" });
    await waitFor(() => expect(screen.queryByRole("region", { name: "First steps" })).toBeNull());
  });

  it("come after what failed, for whoever was told of that and has never been here", async () => {
    const ended = new Date().toISOString();
    const failed = aRunSummary({ state: "FAILED", created_ts: ended, finished_ts: ended });
    service().override(listRuns, { runs: [failed], next_cursor: null });
    renderConsole("/");
    const failing = await screen.findByRole("region", { name: "Failing" });
    const after = failing.compareDocumentPosition(await screen.findByRole("region", { name: "First steps" }));
    expect(after).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("are hidden for good by hand, and what is left says how to begin", async () => {
    const store = memoryStore();
    const { user, unmount } = renderConsole("/", { browser: { store } });
    await user.click(within(await steps()).getByRole("button", { name: "Hide" }));
    await screen.findByRole("heading", { name: "Nothing has run yet" });
    unmount();
    renderConsole("/", { browser: { store } });
    await screen.findByRole("heading", { name: "Nothing has run yet" });
    expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
  });

  it("leave no flow to choose behind where there is none", async () => {
    service().state.flows = [];
    const { user } = renderConsole("/");
    await user.click(within(await steps()).getByRole("button", { name: "Hide" }));
    await screen.findByRole("heading", { name: "Nothing has run yet" });
    await waitFor(() => expect(screen.queryByRole("link", { name: "Choose a flow to start" })).toBeNull());
    expect(screen.getByRole("link", { name: "Talk to an agent" })).toBeInTheDocument();
  });

  it.each([
    ["there is none, and none can be made", [], "editor"],
    ["the person may only look at all there are", [anAgent({ team_id: "team_harbor" })], "viewer"],
  ] as const)("offer no agent to talk to where %s", async (_where, agents, inHarbor) => {
    service().state.agents = [...agents];
    withAdmin(service(), { inHarbor });
    const named = ["admin", "runs", "saved_items", "sessions"] as const;
    service().state.capabilities = [...named];
    const { user } = renderConsole("/", { as: { known: { named: [...named], tried: {} } } });
    const talk = await step("Talk to an agent");
    await talk.findByText("You have no agent to talk to yet.");
    expect(talk.queryByRole("link")).toBeNull();
    await user.click(within(await steps()).getByRole("button", { name: "Hide" }));
    await screen.findByRole("heading", { name: "Nothing has run yet" });
    expect(screen.queryByRole("link", { name: "Talk to an agent" })).toBeNull();
  });

  it("count a conversation that this browser knows, and none that the service refused", async () => {
    const store = memoryStore();
    const { api } = signedInWheelhouse({}, { store });
    const toStart = { agentId: "agent_scribe", agentName: "Scribe", projectId: null, message: "Hello" };
    await api.conversations.begin({ id: "refused", ...toStart });
    await api.conversations.failed("refused", true, "No talks today");
    const first = renderConsole("/", { browser: { store } });
    await (await step("Talk to an agent")).findByRole("link", { name: "Talk to Scribe" });
    expect((await step("Talk to an agent")).queryByText(", done")).toBeNull();
    first.unmount();
    // One that was begun here is followed to its end.
    service().override(getSession, aSession());
    await api.conversations.begin({ id: "taken", ...toStart });
    await api.conversations.started("taken", "int_1");
    renderConsole("/", { browser: { store } });
    expect(await (await step("Talk to an agent")).findByText(", done")).toBeInTheDocument();
  });

  it("stay hidden where the browser's store says only later that they were", async () => {
    const store = memoryStore();
    const first = renderConsole("/", { browser: { store } });
    await first.user.click(within(await steps()).getByRole("button", { name: "Hide" }));
    await screen.findByRole("heading", { name: "Nothing has run yet" });
    first.unmount();
    // A store that did not answer in time, and answers after all.
    const trouble = new Store<StorageTrouble | null>("failing");
    const read: typeof store.read = async (prefix) => (trouble.get() === null ? store.read(prefix) : []);
    renderConsole("/", { browser: { store: { ...store, read, trouble } } });
    await steps();
    act(() => trouble.set(null));
    await screen.findByRole("heading", { name: "Nothing has run yet" });
    await waitFor(async () => expect((await store.read("")).map(([, value]) => value)).toContain("hidden"));
  });

  it("lead on a service with the core alone, without what it does not have", async () => {
    service().state.capabilities = null;
    const tried = { runs: false, saved_items: false, sessions: false, artifacts: false };
    renderConsole("/", { as: { known: { named: null, tried } } });
    expect(await (await step("Start a run")).findByRole("link", { name: "Choose a flow" })).toHaveAttribute(
      "href",
      "/runs/new",
    );
    expect(
      await (await step("Talk to an agent")).findByRole("link", { name: "Talk to Scribe" }),
    ).toBeVisible();
    expect(service().seen(listSessions)).toHaveLength(0);
    expect(service().seen(listArtifacts)).toHaveLength(0);
  });
});
