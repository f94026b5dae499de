import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listAgentVersions, updateAgent } from "../../../contract/agents.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { anAgent } from "../../../testing/builders.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { type AgentNews, tellAgentNews } from "../directory/AgentGone.tsx";

const service = mockServicePerTest();

type View = ReturnType<typeof renderConsole>;

/** As another tab of this browser that did it. */
function tell({ wheelhouse }: View, kind: AgentNews["kind"]): void {
  const api = wheelhouse.api.get();
  if (api === null) throw new Error("Nobody is signed in");
  tellAgentNews(api, { kind, agentId: "agent_clerk", at: Date.now() });
}

/** Somebody, here or elsewhere, changes the agent that the page shows. */
function change(part: Partial<ReturnType<typeof anAgent>>): void {
  const [agent] = service().state.agents;
  if (agent) Object.assign(agent, part, { version: agent.version + 1 });
}

describe("an agent that is transferred while its pages are open", () => {
  it("is said to be another team's over its settings in another tab, with the time, and the draft stays", async () => {
    service().override(listAgentVersions, { versions: [], next_cursor: null });
    service().state.agents = [anAgent({ team_id: null })];
    const view = renderConsole("/agents/agent_clerk/settings");
    await view.user.type(await screen.findByRole("textbox", { name: "Name" }), " the second");
    change({ team_id: "team_harbor" });
    tell(view, "transferred");
    await screen.findByText(/^This agent was transferred to Harbor at \d/);
    expect(screen.getByText(/Only you owned it when this page was opened/)).toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Name" })).toHaveValue("Clerk the second");
  });

  it("is said so by the next look where another person did it", async () => {
    service().override(listSessions, { sessions: [], next_cursor: null });
    service().state.agents = [anAgent({ team_id: "team_annex" })];
    const { wheelhouse } = renderConsole("/agents/agent_clerk");
    await screen.findByRole("heading", { level: 2, name: "Clerk" });
    expect(screen.queryByText(/was transferred/)).toBeNull();
    change({ team_id: "team_harbor" });
    await wheelhouse.queries.invalidateQueries();
    await screen.findByText("This agent was transferred to Harbor");
    expect(screen.getByText(/It belonged to team_annex when this page was opened/)).toBeInTheDocument();
  });

  it("to where this key sees nothing, is told apart from a retired one where this browser did it", async () => {
    service().override(listSessions, { sessions: [], next_cursor: null });
    service().state.agents = [anAgent()];
    const view = renderConsole("/agents/agent_clerk");
    await screen.findByRole("heading", { level: 2, name: "Clerk" });
    change({ is_active: false });
    tell(view, "transferred");
    await screen.findByText(/^This agent was transferred at .*, and your key no longer has access to it$/);
  });
});

describe("an agent that is retired", () => {
  it("offers no conversation to begin where there was none", async () => {
    service().override(listSessions, { sessions: [], next_cursor: null });
    service().state.agents = [anAgent()];
    const view = renderConsole("/agents/agent_clerk");
    await screen.findByRole("link", { name: "New conversation" });
    change({ is_active: false });
    tell(view, "retired");
    await screen.findByText("This agent takes no new conversations.");
    expect(screen.queryByRole("link", { name: "New conversation" })).toBeNull();
    expect(screen.queryByText(/start_agent/)).toBeNull();
  });

  it.each([
    ["Clerk  of\nthe \u202Equay ", "Clerk of the quay"],
    [" \t", "agent_clerk"],
  ])("C-38: of the name %j is asked for as it can be typed", async (name, typed) => {
    service().override(listSessions, { sessions: [], next_cursor: null });
    service().override(updateAgent, ({ body }) => ({
      agent: { ...anAgent({ name }), is_active: body.is_active ?? true },
    }));
    service().state.agents = [anAgent({ name })];
    const { user } = renderConsole("/agents/agent_clerk");
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: "Retire agent…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Retire agent" }));
    expect(service().seen(updateAgent)).toHaveLength(0);
    await user.type(dialog.getByRole("textbox", { name: /^Type/ }), typed);
    await user.click(dialog.getByRole("button", { name: "Retire agent" }));
    await waitFor(() => expect(service().seen(updateAgent)).toHaveLength(1));
  });
});
