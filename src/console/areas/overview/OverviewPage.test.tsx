import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listAgents } from "../../../contract/agents.ts";
import { listArtifacts } from "../../../contract/artifacts.ts";
import { getEvaluationMetrics } from "../../../contract/evaluations.ts";
import { countInbox, listInbox } from "../../../contract/inbox.ts";
import { listSources } from "../../../contract/knowledge.ts";
import { listMcpServers } from "../../../contract/mcp.ts";
import { listRuns } from "../../../contract/runs.ts";
import { anArtifact } from "../../../testing/access.ts";
import { anAgent, aRunSummary } from "../../../testing/builders.ts";
import { aWaitingCall, withQuestions } from "../../../testing/inbox.ts";
import { never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

/** A row of the list that began and ended so many minutes ago. */
const run = (id: string, state: string, minutesAgo: number, part = {}) => {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  return aRunSummary({
    run_id: id,
    state: state as "DONE",
    created_ts: at,
    finished_ts: state === "RUNNING" ? null : at,
    ...part,
  });
};
const lists = (runs: readonly ReturnType<typeof aRunSummary>[]) => {
  service().override(listRuns, { runs: [...runs], next_cursor: null });
  service().override(listArtifacts, { artifacts: [], next_cursor: null });
};

/** A server whose sign-in has ended. */
const signedOut = (server_id: string, name: string) => ({
  ...{ server_id, name, type: "mcp_server" as const, status: "unauthenticated" as const },
  ...{ icon_url: null, description: "Files", mcp_url: null, tool_count: null, allowed_tool_call_ids: null },
  service_auth_url: `http://localhost/mcp?server=${server_id}`,
  connection: {
    auth: "sign_in" as const,
    signed_in_at: "2026-11-19T08:00:00Z",
    ...{ succeeded_at: null, failed_at: null, failure: null, held_tool_call_ids: [] },
  },
});

describe("the overview", () => {
  it("is the first page, and groups what failed by its cause", async () => {
    lists([
      run("run_1", "FAILED", 5, { error: "The endpoint answers 502" }),
      run("run_2", "FAILED", 30, { error: "The endpoint answers 503" }),
      run("run_3", "RUNNING", 1),
    ]);
    renderConsole("/");
    await screen.findByRole("heading", { name: "1 thing needs you" });
    const failing = within(screen.getByRole("region", { name: "Failing" }));
    expect(failing.getByRole("link", { name: "The endpoint answers 502" })).toHaveAttribute(
      "href",
      "/runs/run_1",
    );
    expect(failing.getByText(/2 runs of Say hello/)).toBeInTheDocument();
    expect(failing.getByRole("link", { name: /^Run again/ })).toHaveAttribute(
      "href",
      "/runs/new?flow=flow_hello&from=run_1",
    );
    const now = within(screen.getByRole("complementary", { name: "Now and in the last 24 hours" }));
    expect(now.getByRole("link", { name: "Say hello" })).toHaveAttribute("href", "/runs/run_3");
    expect(now.getByText("2 failed")).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe("1 needs you · Overview · Wheelhouse"));
  });

  it("counts apart what waits for a person's answer: it does not run now", async () => {
    lists([
      run("run_1", "RUNNING", 1, { waiting_for_people: true }),
      run("run_2", "RUNNING", 2),
      run("run_3", "RUNNING", 3, { waiting_for_people: true }),
    ]);
    renderConsole("/");
    await screen.findByRole("heading", { name: "Running now 1, 2 need an answer" });
    const now = screen.getByRole("complementary", { name: "Now and in the last 24 hours" });
    const links = within(now).getAllByRole("link", { name: "Say hello" });
    // What runs stands first.
    expect(links.slice(0, 3).map((link) => link.getAttribute("href"))).toEqual([
      "/runs/run_2",
      "/runs/run_1",
      "/runs/run_3",
    ]);
  });

  it("C-08: keeps the reading direction of names to the names, in what changed", async () => {
    const created_at = new Date(Date.now() - 60_000).toISOString();
    lists([run("run_1", "DONE", 5, { saved_item_name: "שלום" })]);
    service().override(listArtifacts, {
      artifacts: [anArtifact({ id: "art_1", filename: "דוח.pdf", created_at })],
      next_cursor: null,
    });
    renderConsole("/");
    const now = within(await screen.findByRole("complementary", { name: "Now and in the last 24 hours" }));
    for (const name of ["שלום", "דוח.pdf"]) expect((await now.findByText(name)).tagName).toBe("BDI");
  });

  it("C-08: a sentence that begins with a Hebrew name reads from left to right, in what needs attention", async () => {
    lists([]);
    service().state.agents = [anAgent({ id: "agent_1", name: "שלום" })];
    service().override(getEvaluationMetrics, { days: 1, grades: { pass: 3, needs_attention: 2 }, tags: {} });
    renderConsole("/");
    const link = await screen.findByRole("link", { name: "\u2068שלום\u2069: 2 results" });
    expect(link.querySelector("bdi")).toBeNull();
  });

  it("C-08: a failed run's error that turns the reading direction shows a mark", async () => {
    lists([run("run_1", "FAILED", 5, { error: "Cannot read \u202Egpj.exe" })]);
    renderConsole("/");
    expect(await screen.findByRole("link", { name: "Cannot read ⟨U+202E⟩gpj.exe" })).toBeInTheDocument();
  });

  it("is quiet when a later run went through, folds what failed into one line and says what was checked", async () => {
    lists([run("run_2", "DONE", 5), run("run_1", "FAILED", 30, { error: "The endpoint answers 502" })]);
    const { user } = renderConsole("/");
    await screen.findByRole("heading", { name: "Nothing needs you" });
    expect(screen.getByText(/1 failure later succeeded/)).toBeInTheDocument();
    expect(screen.getByText(/2 runs ended in the last 24 hours, no open failures/)).toBeInTheDocument();
    expect(
      screen.getByText(/^Failed runs, failed turns of conversations in local history, /),
    ).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "The endpoint answers 502" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show" }));
    expect(screen.getByRole("link", { name: "The endpoint answers 502" })).toBeInTheDocument();
  });

  it("says which tool calls wait for this person, counts them, and leads to each", async () => {
    lists([]);
    const others = Array.from({ length: 6 }, (_, at) => aWaitingCall({ id: `ask_${at}` }));
    withQuestions(
      service(),
      aWaitingCall({ asked_at: new Date(Date.now() - 600_000).toISOString() }),
      ...others,
      aWaitingCall({ id: "ask_others", may_answer: false }),
    );
    renderConsole("/");
    await screen.findByRole("heading", { name: "7 things need you" });
    const calls = within(screen.getByRole("region", { name: "Questions waiting for you" }));
    expect(calls.getAllByRole("link", { name: "Clerk: send" })[0]).toHaveAttribute("href", "/inbox/ask_mail");
    expect(calls.getByRole("link", { name: "2 more in the inbox" })).toHaveAttribute("href", "/inbox");
  });

  it("says what waits beside runs: a server, an approval and grades, each with the way there", async () => {
    lists([]);
    service().override(listMcpServers, { servers: [signedOut("drive", "Drive")] });
    service().override(listSources, {
      sources: [
        {
          id: "source_law",
          name: "Case law",
          source_type: "direct_file_uploads",
          status: "draft",
          scope: "personal",
          team_id: null,
          created_by_user_id: "user_ada",
          created_at: "2026-11-20T08:00:00Z",
          estimated_credits: 38.4,
        },
      ],
      next_cursor: null,
    });
    service().override(getEvaluationMetrics, {
      ...{ days: 1, counted: "sessions", grades: { pass: 3, needs_attention: 2 }, tags: {} },
    });
    renderConsole("/");
    await screen.findByRole("heading", { name: "3 things need you" });
    const servers = within(screen.getByRole("region", { name: "MCP servers" }));
    expect(servers.getByRole("link", { name: "Drive no longer accepts the sign-in" })).toHaveAttribute(
      "href",
      "/mcp?server=drive",
    );
    const approvals = within(screen.getByRole("region", { name: "Waiting for your approval" }));
    expect(approvals.getByText("38.4 credits")).toBeInTheDocument();
    expect(approvals.getByRole("link", { name: "Case law" })).toHaveAttribute(
      "href",
      "/inbox/source_law?kind=source",
    );
    expect(approvals.getByRole("link", { name: "Review: Case law" })).toHaveAttribute(
      "href",
      "/inbox/source_law?kind=source",
    );
    expect(servers.getByRole("link", { name: /^Sign in: Drive/ })).toHaveAttribute(
      "href",
      "/mcp?server=drive",
    );
    expect(
      within(screen.getByRole("region", { name: /needs attention/ })).getByRole("link", {
        name: "Clerk: 2 conversations",
      }),
    ).toHaveAttribute("href", "/agents/agent_clerk/evaluations?days=7&grade=needs_attention");
  });

  it("says results, not conversations, where the service does not say which of them it counts", async () => {
    lists([]);
    service().override(getEvaluationMetrics, { days: 1, grades: { pass: 3, needs_attention: 1 }, tags: {} });
    renderConsole("/");
    const grades = within(await screen.findByRole("region", { name: /needs attention/ }));
    expect(grades.getByRole("link", { name: "Clerk: 1 result" })).toBeInTheDocument();
    expect(grades.getByText("of 4 results")).toBeInTheDocument();
  });

  it("finds what mended a failure also where both are older than the newest page of runs", async () => {
    lists([]);
    const nightly = { saved_item_id: "flow_nightly", saved_item_name: "Nightly" };
    service().override(listRuns, ({ query }) => {
      if (query.saved_item_id === "flow_nightly")
        return { runs: [run("run_mended", "DONE", 400, nightly)], next_cursor: null };
      if (query.state === "FAILED")
        return { runs: [run("run_old", "FAILED", 500, { ...nightly, error: "no ink" })], next_cursor: null };
      const isNewest = query.state === undefined;
      return { runs: isNewest ? [run("run_new", "DONE", 5)] : [], next_cursor: isNewest ? "more" : null };
    });
    renderConsole("/");
    await screen.findByText("1 failure later succeeded: no ink (1)");
    expect(screen.queryByRole("link", { name: "no ink" })).toBeNull();
  });

  it("finds what mended them also where more than a few flows failed on a long day", async () => {
    lists([]);
    const flows = Array.from({ length: 12 }, (_, at) => ({ saved_item_id: `flow_${at}` }));
    service().override(listRuns, ({ query }) => {
      const at = flows.findIndex(({ saved_item_id }) => saved_item_id === query.saved_item_id);
      if (at !== -1)
        return { runs: [run(`run_mended_${at}`, "DONE", 400, flows[at] ?? {})], next_cursor: null };
      if (query.state === "FAILED") {
        const failed = flows.map((flow, i) => run(`run_${i}`, "FAILED", 500, { ...flow, error: "no ink" }));
        return { runs: failed, next_cursor: null };
      }
      const isNewest = query.state === undefined;
      return { runs: isNewest ? [run("run_new", "DONE", 5)] : [], next_cursor: isNewest ? "more" : null };
    });
    renderConsole("/");
    await screen.findByText(/^12 failures later succeeded/);
  });

  it("counts the questions of later pages, too", async () => {
    lists([]);
    service().override(listInbox, { items: [aWaitingCall()], next_cursor: "next" });
    service().override(countInbox, { waiting: 120, oldest_at: null });
    renderConsole("/");
    await screen.findByRole("heading", { name: "120 things need you" });
    expect(screen.getByRole("link", { name: "119 more in the inbox" })).toBeInTheDocument();
  });

  it("leaves a server that no agent uses to the catalogue", async () => {
    lists([]);
    const servers = [signedOut("drive", "Drive"), signedOut("notes", "Notes")];
    service().override(listMcpServers, { servers });
    service().override(listAgents, ({ query }) => ({
      agents: query.tool === "drive" ? [] : [anAgent({ id: "agent_clerk", name: "Clerk" })],
      next_cursor: null,
    }));
    renderConsole("/");
    await screen.findByRole("link", { name: "Notes no longer accepts the sign-in" });
    const group = within(screen.getByRole("region", { name: "MCP servers" }));
    expect(group.getByText("1 agent uses it")).toBeInTheDocument();
    expect(screen.queryByText(/^Drive/)).toBeNull();
  });

  it("shows what this browser knows where the service lists nothing, and says so", async () => {
    service().state.capabilities = null;
    renderConsole("/", { as: { known: { named: null, tried: {} } } });
    await screen.findByText(/This service does not list runs/);
    expect(service().seen(listRuns)).toHaveLength(0);
  });

  it("says which turns of this person failed in the last day, and not what failed before and was only opened", async () => {
    lists([run("run_1", "DONE", 5)]);
    const { wheelhouse } = renderConsole("/");
    await screen.findByRole("heading", { name: "Nothing needs you" });
    const known = wheelhouse.api.get()?.conversations;
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const failed = (hours: number) => ({ state: "FAILED", createdTs: hoursAgo(hours) });
    const agent = { agentId: "agent_clerk", agentName: "Clerk" };
    await known?.saw("int_1", { ...agent, name: "Opened, of last week", last: failed(170) });
    await known?.saw("int_2", { ...agent, name: "Opened, of today", last: failed(3.5) });
    await known?.saw("int_3", { ...agent, name: "Gone on with today", last: failed(170) });
    await known?.asked("int_3", "And now?");
    const group = within(await screen.findByRole("region", { name: "Failed conversations" }));
    expect(await group.findByRole("link", { name: "Gone on with today" })).toBeInTheDocument();
    expect(group.getByRole("link", { name: "Opened, of today" }).closest("li")).toHaveTextContent("3 h ago");
    expect(group.queryByText("Opened, of last week")).toBeNull();
  });

  it("says that it reads, and where the runs may not be seen", async () => {
    service().override(listRuns, never, { times: 1 });
    const { unmount } = renderConsole("/");
    await screen.findByText("Loading runs");
    unmount();
    service().override(listRuns, new Refusal("forbidden"));
    renderConsole("/");
    await screen.findByRole("heading", { name: /The runs: no access/ });
  });

  it("goes through its rows with the keyboard", async () => {
    lists([
      run("run_1", "FAILED", 5, { error: "no paper" }),
      run("run_2", "FAILED", 30, { error: "no ink" }),
    ]);
    const { user } = renderConsole("/");
    await screen.findByRole("heading", { name: "2 things need you" });
    await user.keyboard("j");
    expect(screen.getByRole("link", { name: "no paper" })).toHaveFocus();
    await user.keyboard("j");
    expect(screen.getByRole("link", { name: "no ink" })).toHaveFocus();
    await user.keyboard("k");
    expect(screen.getByRole("link", { name: "no paper" })).toHaveFocus();
  });
});
