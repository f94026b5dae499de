import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getAgent, listAgents } from "../../../contract/agents.ts";
import { startAgent } from "../../../contract/interactions.ts";
import { listMcpServers } from "../../../contract/mcp.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { anAgent } from "../../../testing/builders.ts";
import { aSession } from "../../../testing/conversations.ts";
import { anyJson, never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { onPhone } from "../../../testing/on-phone.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const core = { as: { known: { named: null, tried: { live_messages: false, sessions: false } } } };
const row = async (name: string | RegExp) => screen.findByRole("row", { name });
const focusLinkOf = async (name: string) =>
  within(await row(new RegExp(name)))
    .getByRole("link", { name })
    .focus();

function withConversations() {
  const { messages: _, ...summary } = aSession().session;
  service().override(listSessions, { sessions: [summary], next_cursor: null });
}

describe("the list of agents", () => {
  it("groups the person's own and each team's, with tabs that count them", async () => {
    withConversations();
    service().state.agents = [
      anAgent(),
      anAgent({ id: "agent_quay", name: "Quay master", team_id: "team_harbor", version: 7 }),
    ];
    const { user } = renderConsole("/agents");
    await row(/Clerk/);
    expect(screen.getByRole("row", { name: /Mine ?1/ })).toBeInTheDocument();
    expect(screen.getByRole("row", { name: /Harbor ?1/ })).toBeInTheDocument();
    expect(screen.getByText(/Showing all 2 agents/)).toBeInTheDocument();
    await user.click(
      within(screen.getByRole("navigation", { name: "Agents by owner" })).getByRole("link", {
        name: /Harbor/,
      }),
    );
    await row(/Quay master/);
    await waitFor(() => expect(screen.queryByRole("row", { name: /Clerk/ })).toBeNull());
  });

  it("opens a panel with tools and last conversations, and starts a conversation from its foot with one request", async () => {
    withConversations();
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    service().override(listMcpServers, { servers: [] });
    const [agent] = service().state.agents;
    if (agent)
      agent.tools = [
        { type: "mcp_server", server_id: "srv_x", allowed_tool_call_ids: ["srv_x__a"], approval_mode: "all" },
        { type: "crystal_ball" },
      ];
    const { user, router } = renderConsole("/agents");
    await user.click(await row(/Clerk/));
    const panel = within(await screen.findByRole("region", { name: "The selected agent" }));
    await panel.findByText("1 tool, asks first");
    expect(panel.getByText("crystal_ball")).toBeInTheDocument();
    expect(panel.getByRole("link", { name: /Which berths/ })).toBeInTheDocument();
    expect(router.state.location.search).toEqual({ agent: "agent_clerk" });
    await user.type(panel.getByRole("textbox", { name: "Message Clerk" }), "Hello");
    await user.dblClick(panel.getByRole("button", { name: "Start" }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe("/agents/agent_clerk/conversations/int_1"),
    );
    expect(service().seen(startAgent)).toHaveLength(1);
  });

  it.each(["/agents", "/agents?agent=agent_clerk"])(
    "follows a link that has the focus with Enter, not the row that one is at, on %s",
    async (address) => {
      const { user, router } = renderConsole(address);
      await row(/Clerk/);
      screen.getByRole("link", { name: "New agent" }).focus();
      await user.keyboard("{Enter}");
      await waitFor(() => expect(router.state.location.pathname).toBe("/agents/new"));
    },
  );

  it("opens a row whose link has the focus with Enter while one is at none", async () => {
    const { user, router } = renderConsole("/agents");
    await focusLinkOf("Clerk");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.href).not.toBe("/agents"));
  });

  it("opens the row whose link has the focus with Enter, not the row that one is at", async () => {
    service().state.agents = [anAgent(), anAgent({ id: "agent_scribe", name: "Scribe" })];
    const { user, router } = renderConsole("/agents?agent=agent_clerk");
    await focusLinkOf("Scribe");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_scribe"));
  });

  it("opens the row that j led to with Enter, also where another row’s link had the focus", async () => {
    service().state.agents = [anAgent(), anAgent({ id: "agent_scribe", name: "Scribe" })];
    const { user, router } = renderConsole("/agents?agent=agent_clerk");
    await focusLinkOf("Clerk");
    await user.keyboard("j");
    await waitFor(() => expect(router.state.location.search).toEqual({ agent: "agent_scribe" }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_scribe"));
  });

  it("opens the agent of its address on a phone too, in place of the list, with a way back to it", async () => {
    await onPhone(async () => {
      withConversations();
      const { user, router } = renderConsole("/agents?agent=agent_clerk");
      const panel = within(await screen.findByRole("region", { name: "The selected agent" }));
      await panel.findByRole("heading", { name: "Clerk" });
      await user.click(panel.getByRole("button", { name: "Back to agents" }));
      await waitFor(() => expect(screen.queryByRole("region", { name: "The selected agent" })).toBeNull());
      expect(router.state.location.search).toEqual({});
    });
  });

  it("asks with whom by n, and n goes to the selected agent", async () => {
    withConversations();
    service().state.agents.push(anAgent({ id: "agent_scribe", name: "Scribe" }));
    const { user, router } = renderConsole("/agents");
    await row(/Clerk/);
    await user.keyboard("n");
    await screen.findByRole("button", { name: /^Clerk/ });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("j");
    await user.keyboard("n");
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_clerk/conversations/new"));
  });

  it("says in its cell that a model is no longer offered", async () => {
    withConversations();
    service().state.agents = [anAgent({ model_name: "openai/gone" })];
    renderConsole("/agents");
    await within(await row(/Clerk/)).findByText("unavailable");
  });

  it("says why there are none, with a line that makes the first one", async () => {
    service().state.agents = [];
    renderConsole("/agents");
    await screen.findByText("No agents yet");
    expect(screen.getByText(/curl -X POST .*\$WHEELHOUSE_KEY/)).toBeInTheDocument();
    expect(screen.getByText(/^Your agents and your teams’ agents/)).toHaveTextContent(
      "Your agents and your teams’ agents appear here. Create the first one with the button or this command. Signed in with Personal key.",
    );
    expect(screen.getByRole("button", { name: "New conversation" })).toHaveAttribute("aria-disabled", "true");
  });

  it("has the shape of what comes while it is read", async () => {
    service().override(listAgents, never);
    renderConsole("/agents");
    await screen.findByText("Loading agents");
  });

  it("says what failed, and reads again by the button", async () => {
    withConversations();
    service().override(listAgents, new Response("", { status: 502 }), { times: 1 });
    const { user } = renderConsole("/agents");
    await user.click(await screen.findByRole("button", { name: "Retry" }));
    await row(/Clerk/);
  });

  it("says that the key may not see them", async () => {
    service().override(listAgents, new Refusal("forbidden"));
    renderConsole("/agents");
    await screen.findByText("The agents: no access with this key");
  });

  it("C-01, C-02: shows agents of which hardly anything can be read", async () => {
    withConversations();
    service().override(
      listAgents,
      anyJson({ agents: [{ id: "ag_bare", name: null, version: "x" }, null, { id: "ag_bare" }], mood: 1 }),
    );
    renderConsole("/agents");
    await row(/ag_bare/);
    expect(screen.getAllByRole("row", { name: /ag_bare/ })).toHaveLength(1);
  });
});

describe("the page of an agent", () => {
  it("lists its conversations, and has its settings in one tab, where addresses from before lead too", async () => {
    withConversations();
    const { user, router } = renderConsole("/agents/agent_clerk");
    await screen.findByRole("heading", { level: 2, name: "Clerk" });
    await row(/Which berths are free/);
    const tabs = within(screen.getByRole("navigation", { name: "Agent pages" }));
    expect(tabs.getAllByRole("link").map((one) => one.textContent?.replace(/\d+$/, "").trim())).toEqual([
      ...["Conversations", "Artifacts", "Settings", "Evaluations", "Versions"],
    ]);
    await user.click(tabs.getByRole("link", { name: "Settings" }));
    await screen.findByRole("textbox", { name: "Name" });
    expect(router.state.location.pathname).toBe("/agents/agent_clerk/settings");
    await user.click(screen.getByRole("button", { name: "Everything the service sent" }));
    const whole = within(await screen.findByRole("dialog", { name: "Raw data" }));
    expect(whole.getByText(/"Be brief\."/)).toBeInTheDocument();
    await user.keyboard("{Escape}");
    await router.navigate({ to: "/agents" });
    router.history.push("/agents/agent_clerk?tab=configuration");
    await screen.findByRole("textbox", { name: "Name" });
    expect(router.state.location.href).toBe("/agents/agent_clerk/settings");
  });

  it("lists what this browser knows where the service lists nothing, and says so", async () => {
    const { wheelhouse } = renderConsole("/agents/agent_clerk", core);
    await screen.findByText("No conversations yet");
    await wheelhouse.api.get()?.conversations.saw("int_9", {
      agentId: "agent_clerk",
      name: "Known here",
      last: { state: "COMPLETED", createdTs: "2026-11-20T08:15:00Z" },
    });
    await row(/done Known here/);
    expect(screen.getByText(/1 conversation in local history/)).toBeInTheDocument();
  });

  it("says that there is none for this key", async () => {
    withConversations();
    service().override(getAgent, new Refusal("not_found"));
    renderConsole("/agents/agent_gone");
    await screen.findByText("Agent not found, or you have no access");
  });

  it("keeps the agent where only its conversations cannot be read", async () => {
    service().override(listSessions, new Response("", { status: 502 }));
    renderConsole("/agents/agent_clerk");
    await screen.findByText("The conversations could not be loaded");
    expect(screen.getByRole("heading", { level: 2, name: "Clerk" })).toBeInTheDocument();
  });

  it("C-01: shows settings with hardly anything in them to somebody who only reads", async () => {
    withConversations();
    const bare = { id: "agent_clerk", tools: null, metadata: null, role: "viewer" };
    service().override(getAgent, anyJson({ agent: bare }));
    renderConsole("/agents/agent_clerk/settings");
    expect(await screen.findByRole("region", { name: "Model" })).toHaveTextContent("unknown");
    expect(screen.getByRole("region", { name: "Tools" })).toHaveTextContent("unknown");
  });
});
