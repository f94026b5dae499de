import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../../contract/agents.ts";
import { getAgent, getAgentVersion, listAgentVersions, updateAgent } from "../../../../contract/agents.ts";
import { listMcpServers } from "../../../../contract/mcp.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { anyJson } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { readAgentDraft } from "../agent/draft-store.ts";

const service = mockServicePerTest();
const lee = { id: "user_lee", first_name: "Lee", last_name: "Test", email: null };

const first = anAgent({
  version: 1,
  system_prompt: "First line\nNever promise payment.\nLast line",
  tools: [{ type: "mcp_server", server_id: "drive", approval_mode: "off" }],
});
const second = anAgent({
  ...first,
  version: 4,
  system_prompt: "First line\nNever promise a payment.\nLast line",
  tools: [
    { type: "mcp_server", server_id: "drive", approval_mode: "all" },
    { type: "crystal_ball", charge: 9 },
  ],
  metadata: { preferences: { max_steps: 9 } },
});
const kept: Readonly<Record<number, Agent>> = { 1: first, 4: second };

const line = (version: number, changed: string[], now = false) => ({
  id: `agent_clerk.${version}`,
  major_version: version,
  is_deployed: now,
  created_at: "2026-11-20T08:15:04.000Z",
  creator: version === 4 ? null : lee,
  changed,
});

/** Versions 1 and 4 are kept; 5 is now; 2 and 3 nobody knows. */
function withVersions() {
  service().state.agents = [anAgent({ ...second, version: 5, name: "Clerk of now" })];
  service().override(listMcpServers, { servers: [] });
  service().override(listAgentVersions, {
    versions: [line(5, ["name"], true), line(4, ["system_prompt", "tools", "metadata"]), line(1, [])],
    next_cursor: null,
  });
  service().override(getAgentVersion, ({ params }) => {
    const agent = kept[params.version];
    return agent ? { agent, version: line(params.version, []) } : new Refusal("not_found");
  });
}

const timeline = async () => within(await screen.findByRole("list", { name: "Versions" }));
const comparison = async () => within(await screen.findByRole("region", { name: "Comparison" }));
const core = {
  as: { known: { named: null, tried: { agent_versions: false, live_messages: false, sessions: false } } },
};

describe("the versions of an agent", () => {
  it("stand from the newest to the oldest with who, what changed, and gaps as gaps", async () => {
    withVersions();
    renderConsole("/agents/agent_clerk/versions");
    const list = await timeline();
    const items = list.getAllByRole("listitem").map((item) => item.textContent ?? "");
    expect(items).toHaveLength(4);
    expect(items[0]).toMatch(/Version 5.*now.*name, Lee Test/);
    expect(items[1]).toMatch(/Version 4.*system prompt, tools, metadata, a team key or a file/);
    expect(items[2]).toMatch(/Versions 2 to 3 are not available/);
    expect(items[3]).toMatch(/Version 1.*created, Lee Test/);
    const tabs = within(screen.getByRole("navigation", { name: "Agent pages" }));
    expect(tabs.getAllByRole("link", { current: "page" }).map((tab) => tab.textContent)).toEqual([
      "Versions 5",
    ]);
    const shown = await comparison();
    await shown.findByText("1 field differs");
    expect(shown.getByText("Clerk of now")).toBeInTheDocument();
  });

  it("are compared two by two as the address says: lines with their words, tools by what they are, keys", async () => {
    withVersions();
    const { user, router } = renderConsole("/agents/agent_clerk/versions");
    await user.click((await timeline()).getByRole("link", { name: /Version 4/ }));
    expect(router.state.location.search).toEqual({ to: 4, from: 1 });
    const shown = await comparison();
    const prompt = within(await shown.findByRole("region", { name: "System prompt" }));
    expect(prompt.getByText("a").className).toMatch(/diff-add-strong/);
    const tools = within(shown.getByRole("region", { name: "Tools" }));
    expect(tools.getByText("drive").closest("li")?.textContent).toMatch(/edited.*approval_mode.*off.*all/);
    expect(tools.getByText("crystal_ball").closest("li")?.textContent).toMatch(/^added/);
    const metadata = within(shown.getByRole("region", { name: "Metadata: preferences" }));
    expect(metadata.getByText("all of it")).toBeInTheDocument();

    await user.click(shown.getByRole("radio", { name: "Text" }));
    expect(router.state.location.search).toMatchObject({ lines: true });
    const whole = await shown.findByRole("region", { name: "All fields by line" });
    expect(whole.textContent).toContain('"type": "crystal_ball"');
    await user.selectOptions(shown.getByRole("combobox", { name: "To version" }), "5");
    expect(router.state.location.search).toMatchObject({ from: 1, to: 5, lines: true });
  });

  it("C-38: are restored by one request with the version last read, as a new version", async () => {
    withVersions();
    service().override(updateAgent, ({ body }) => {
      const agent = anAgent({ ...first, ...JSON.parse(JSON.stringify(body)), version: 6 });
      service().state.agents = [agent];
      return { agent };
    });
    const { user } = renderConsole("/agents/agent_clerk/versions?from=1&to=4");
    await user.click(await (await comparison()).findByRole("button", { name: "Restore version 4" }));
    const dialog = within(await screen.findByRole("dialog", { name: /Restore version 4 of Clerk of now/ }));
    expect(dialog.getByText("Changes name.")).toBeInTheDocument();
    await user.dblClick(dialog.getByRole("button", { name: "Restore" }));
    await screen.findByText("Version 4 restored as version 6");
    const sent = service().seen(updateAgent);
    expect(sent.map(({ body }) => body)).toEqual([{ version: 5, name: "Clerk" }]);
  });

  it.each([
    ["that it was restored", false, "Version 4 restored as version 6"],
    ["that it was not", true, "Version 4 not restored"],
  ])("say %s where the dialog was closed on the way, and lead nowhere", async (_what, isRefused, words) => {
    withVersions();
    const answer = service().holdBack(
      updateAgent,
      isRefused ? new Refusal("forbidden") : { agent: anAgent({ ...first, version: 6 }) },
    );
    const { user, router } = renderConsole("/agents/agent_clerk/versions?from=1&to=4");
    await user.click(await (await comparison()).findByRole("button", { name: "Restore version 4" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Restore" }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    answer();
    await screen.findByText(words);
    expect(router.state.location.search).toEqual({ from: 1, to: 4 });
  });

  it("C-23: overwrite nobody: a refused restore leads to the merge with everything kept", async () => {
    withVersions();
    service().override(
      updateAgent,
      new Refusal("agent_version_conflict", {
        param: "version",
        details: { current_version: 6, sent_version: 5 },
      }),
    );
    const { user, router, wheelhouse } = renderConsole("/agents/agent_clerk/versions?from=1&to=5");
    await user.click(await (await comparison()).findByRole("button", { name: "Restore version 1" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Restore" }));
    await dialog.findByText(/Someone changed the agent in the meantime; it is now at version 6/);
    await user.click(dialog.getByRole("button", { name: "Merge in editor" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_clerk/settings"));
    const drafts = wheelhouse.api.get()?.drafts;
    const draft = drafts ? readAgentDraft(drafts, "agent_clerk") : null;
    expect(draft).toMatchObject({
      baseVersion: 5,
      base: { name: "Clerk of now" },
      mine: { name: "Clerk", system_prompt: first.system_prompt, tools: first.tools },
    });
  });

  it("are those that this browser has seen where the service keeps none, and it says so", async () => {
    service().state.capabilities = null;
    service().override(listMcpServers, { servers: [] });
    service().state.agents = [second];
    const { user, wheelhouse } = renderConsole("/agents/agent_clerk/versions", core);
    await screen.findByText(/This service keeps no versions/);
    service().state.agents = [anAgent({ ...second, version: 7, name: "Renamed" })];
    await wheelhouse.queries.invalidateQueries();
    const list = await timeline();
    await list.findByText("Version 7");
    expect(list.getByText(/Versions 5 to 6 are not available in this browser/)).toBeInTheDocument();
    expect(list.getByText(/Versions 1 to 3 are not available in this browser/)).toBeInTheDocument();
    await user.click(list.getByRole("link", { name: /Version 7/ }));
    await (await comparison()).findByText("Renamed");
    expect(service().seen(listAgentVersions)).toHaveLength(0);
  });

  it("are remembered from before it was known that the service keeps none", async () => {
    service().state.capabilities = null;
    service().override(listMcpServers, { servers: [] });
    service().override(listAgentVersions, new Response("Not Found", { status: 404 }));
    service().state.agents = [anAgent({ version: 2, name: "Early" })];
    const untried = { as: { known: { named: null, tried: { live_messages: false, sessions: false } } } };
    const { router, wheelhouse } = renderConsole("/agents/agent_clerk/settings", untried);
    await screen.findByRole("heading", { name: "Early", level: 2 });
    service().state.agents = [anAgent({ version: 3, name: "Late" })];
    await wheelhouse.queries.invalidateQueries();
    await router.navigate({ to: "/agents/$agentId/versions", params: { agentId: "agent_clerk" } });
    const list = await timeline();
    await list.findByRole("link", { name: /Version 3/ });
    await list.findByRole("link", { name: /Version 2/ });
    await (await comparison()).findByText("Early");
  });

  it("C-01: live with a list of anything, and say how much of it could not be read", async () => {
    withVersions();
    service().override(listAgentVersions, () =>
      anyJson({
        versions: [
          line(5, [], true),
          null,
          7,
          { major_version: "x" },
          { major_version: 2, changed: [1, null, "odd"] },
        ],
      }),
    );
    renderConsole("/agents/agent_clerk/versions");
    const list = await timeline();
    expect(list.getByRole("link", { name: /Version 2/ })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Clerk of now", level: 2 })).toBeInTheDocument();
  });

  it("say that they could not be read, and are read again", async () => {
    withVersions();
    service().override(listAgentVersions, new Refusal("invalid_page_size"));
    const { user } = renderConsole("/agents/agent_clerk/versions");
    const again = await screen.findByRole("button", { name: "Retry" });
    withVersions();
    await user.click(again);
    expect((await timeline()).getByRole("link", { name: /Version 1/ })).toBeInTheDocument();
    expect(service().seen(getAgent).length).toBeGreaterThan(0);
  });
});
