import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { createAgent, getAgent, updateAgent } from "../../../contract/agents.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { anAgent } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { tellAgentNews } from "../directory/AgentGone.tsx";

const service = mockServicePerTest();

/** Answers changes as a service does: retired ones are gone. */
function withChanges() {
  service().override(listSessions, { sessions: [], next_cursor: null });
  service().override(updateAgent, ({ params, body }) => {
    const agent = service().state.agents.find(({ id, is_active }) => id === params.agent_id && is_active);
    if (!agent) return new Refusal("not_found");
    if (body.version != null && body.version !== agent.version) {
      return new Refusal("agent_version_conflict", { details: { current_version: agent.version } });
    }
    const { version: _, ...change } = JSON.parse(JSON.stringify(body));
    Object.assign(agent, change, { version: agent.version + 1 });
    return { agent };
  });
}

async function openDialog(item: string, address = "/agents/agent_clerk") {
  const view = renderConsole(address);
  await view.user.click(await screen.findByRole("button", { name: "More actions" }));
  await view.user.click(await screen.findByRole("menuitem", { name: item }));
  return { ...view, dialog: within(await screen.findByRole("dialog")) };
}

describe("C-38: retiring an agent", () => {
  it("says what it does and whom it reaches, wants the name, and sends one request for a double click", async () => {
    withChanges();
    service().state.agents = [
      anAgent({ version: 7, team_id: "team_harbor", active_trigger_count: 2 }),
      anAgent({ id: "agent_quay", name: "Quay" }),
    ];
    const { dialog, user, router } = await openDialog("Retire agent…");
    expect(dialog.getByText(/can’t be undone\. A retired agent can’t be brought back/)).toBeInTheDocument();
    expect(dialog.getByText(/the lists of everyone in Harbor/)).toBeInTheDocument();
    expect(dialog.getByText(/Running turns finish/)).toBeInTheDocument();
    expect(
      dialog.getByText(/2 active triggers no longer start it.*turn off its triggers/),
    ).toBeInTheDocument();
    const act = dialog.getByRole("button", { name: "Retire agent" });
    await user.dblClick(act);
    await user.type(dialog.getByRole("textbox", { name: /Type/ }), "Cler");
    await user.click(act);
    expect(service().seen(updateAgent)).toHaveLength(0);
    await user.type(dialog.getByRole("textbox", { name: /Type/ }), "k");
    await user.dblClick(act);
    await screen.findByText("Clerk retired");
    expect(
      service()
        .seen(updateAgent)
        .map(({ body }) => body),
    ).toEqual([{ is_active: false, version: 7 }]);
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents"));
    await screen.findByRole("row", { name: /Quay/ });
    expect(screen.queryByRole("row", { name: /Clerk/ })).toBeNull();
  });

  it("does nothing to an agent that somebody changed meanwhile, and can be asked again for it as it is now", async () => {
    withChanges();
    service().state.agents = [anAgent({ version: 7 })];
    const { dialog, user } = await openDialog("Retire agent…");
    const [agent] = service().state.agents;
    if (agent) agent.version = 8;
    await user.type(dialog.getByRole("textbox", { name: /Type/ }), "Clerk");
    await user.click(dialog.getByRole("button", { name: "Retire agent" }));
    await dialog.findByText(/changed the agent in the meantime; it is now at version 8/);
    await waitFor(() => expect(screen.getByText("version 8")).toBeInTheDocument());
    await user.click(dialog.getByRole("button", { name: "Retire agent" }));
    await screen.findByText("Clerk retired");
    expect(
      service()
        .seen(updateAgent)
        .map(({ body }) => body),
    ).toEqual([
      { is_active: false, version: 7 },
      { is_active: false, version: 8 },
    ]);
  });

  it("says that it was not done also to whoever cancelled while it was on its way", async () => {
    withChanges();
    const answer = service().holdBack(updateAgent, new Refusal("internal"));
    const { dialog, user } = await openDialog("Retire agent…");
    await user.type(dialog.getByRole("textbox", { name: /Type/ }), "Clerk");
    await user.click(dialog.getByRole("button", { name: "Retire agent" }));
    await waitFor(() => expect(service().seen(updateAgent)).toHaveLength(1));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    answer();
    await screen.findByText("The agent was not retired");
  });

  it("is said by pages that were open elsewhere, which keep what they show", async () => {
    withChanges();
    const { wheelhouse } = renderConsole("/agents/agent_clerk");
    await screen.findByRole("heading", { level: 2, name: "Clerk" });
    await screen.findAllByRole("link", { name: /New conversation/ });
    const [agent] = service().state.agents;
    if (agent) agent.is_active = false;
    const api = wheelhouse.api.get();
    if (api) tellAgentNews(api, { kind: "retired", agentId: "agent_clerk", at: Date.now() });
    await screen.findByText(/This agent was retired at/);
    expect(screen.getByRole("heading", { level: 2, name: "Clerk" })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: /New conversation/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "More actions" })).toBeNull();
  });

  it("is found out by the next look where nobody told, without saying more than is known", async () => {
    withChanges();
    const { wheelhouse } = renderConsole("/agents/agent_clerk/settings");
    await screen.findByRole("textbox", { name: "Name" });
    const [agent] = service().state.agents;
    if (agent) agent.is_active = false;
    await wheelhouse.queries.invalidateQueries();
    await screen.findByText(/was retired, or moved to a team your key has no access to/);
    expect(screen.getByText("Be brief.")).toBeInTheDocument();
  });
});

describe("transferring an agent", () => {
  it("says who has it then, wants team and name, and sends the version last read", async () => {
    withChanges();
    const { dialog, user } = await openDialog("Transfer to a team…");
    expect(dialog.getByText(/not back to one person/)).toBeInTheDocument();
    const act = dialog.getByRole("button", { name: "Transfer agent" });
    await user.type(dialog.getByRole("textbox", { name: /Type/ }), "Clerk");
    await user.click(act);
    expect(service().seen(updateAgent)).toHaveLength(0);
    await user.selectOptions(dialog.getByRole("combobox", { name: "Team" }), "Harbor");
    expect(dialog.getByText(/Everyone in Harbor will be able to see it/)).toBeInTheDocument();
    await user.dblClick(act);
    await screen.findByText("Clerk transferred to Harbor");
    expect(
      service()
        .seen(updateAgent)
        .map(({ body }) => body),
    ).toEqual([{ team_id: "team_harbor", version: 1 }]);
  });

  it("is not offered for one's own two agents, nor to a team's key", async () => {
    withChanges();
    service().state.agents = [anAgent({ id: "gumball", name: "Gumball" })];
    const { user } = renderConsole("/agents/gumball");
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await screen.findByRole("menuitem", { name: "Retire agent…" });
    expect(screen.queryByRole("menuitem", { name: "Transfer to a team…" })).toBeNull();
  });
});

describe("making an agent", () => {
  it("from nothing: one request with what was filled in, then its page", async () => {
    service().override(listSessions, { sessions: [], next_cursor: null });
    service().override(createAgent, ({ body }) => {
      const agent = anAgent({ id: "agent_new", name: body.name, system_prompt: body.system_prompt ?? null });
      service().state.agents.push(agent);
      return { agent };
    });
    const { user, router } = renderConsole("/agents");
    await user.click(await screen.findByRole("link", { name: "New agent" }));
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "Quay master");
    await user.type(screen.getByRole("textbox", { name: /System prompt/ }), "Count ships.");
    await screen.findByRole("option", { name: /^builtin\/offline/ });
    await user.selectOptions(screen.getByRole("combobox", { name: "Model" }), "builtin/offline");
    await user.dblClick(screen.getByRole("button", { name: "Create agent" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_new"));
    expect(
      service()
        .seen(createAgent)
        .map(({ body }) => body),
    ).toEqual([{ name: "Quay master", model_name: "builtin/offline", system_prompt: "Count ships." }]);
  });

  it("as a copy: tools, resources and metadata as they are, unknown ones too; what is typed survives a refusal", async () => {
    service().override(createAgent, new Refusal("insufficient_storage"));
    const tools = [{ type: "crystal_ball", charge: { level: 9 } }];
    const source = anAgent({
      tools,
      resources: [{ id: "r" }],
      metadata: { odd: { a: 1 } },
      model_name: "gone/model",
    });
    service().state.agents = [source];
    const { user } = await openCopy();
    const name = await screen.findByRole("textbox", { name: "Name" });
    expect(name).toHaveValue("Copy of Clerk");
    expect(screen.getByText(/with 1 tool, 1 resource, its metadata/)).toBeInTheDocument();
    await screen.findByRole("option", { name: "gone/model, no longer available" });
    await user.clear(name);
    await user.type(name, "Second clerk");
    await user.click(screen.getByRole("button", { name: "Create copy" }));
    await screen.findByText("The agent was not created");
    expect(name).toHaveValue("Second clerk");
    expect(
      service()
        .seen(createAgent)
        .map(({ body }) => body),
    ).toEqual([
      {
        name: "Second clerk",
        description: "Answers letters.",
        model_name: "gone/model",
        system_prompt: "Be brief.",
        tools,
        resources: [{ id: "r" }],
        metadata: { odd: { a: 1 } },
      },
    ]);
    expect(service().seen(getAgent).length).toBeGreaterThan(0);
  });

  it("is not offered where the service cannot, and the page says so", async () => {
    service().state.capabilities = null;
    renderConsole("/agents/new", { as: { known: { named: null, tried: { agent_create: false } } } });
    await screen.findByText("Agents can’t be created here");
    expect(screen.queryByRole("textbox", { name: "Name" })).toBeNull();
  });

  it("C-39: asks before a prompt with a key in it is sent", async () => {
    const { user } = renderConsole("/agents/new");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "N");
    await user.type(screen.getByRole("textbox", { name: /System prompt/ }), `sk-${"a1B2".repeat(12)}`);
    await screen.findByText(/This looks like/);
    await user.click(screen.getByRole("button", { name: "Create agent" }));
    expect(service().seen(createAgent)).toHaveLength(0);
  });
});

async function openCopy() {
  service().override(listSessions, { sessions: [], next_cursor: null });
  const view = renderConsole("/agents/agent_clerk");
  await view.user.click(await screen.findByRole("button", { name: "More actions" }));
  await view.user.click(await screen.findByRole("menuitem", { name: "Make a copy" }));
  return view;
}
