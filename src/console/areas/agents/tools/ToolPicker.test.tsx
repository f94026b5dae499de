import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type AgentTool, createAgent, updateAgent } from "../../../../contract/agents.ts";
import { listSources } from "../../../../contract/knowledge.ts";
import { listMcpServers, listMcpTools, type McpServer } from "../../../../contract/mcp.ts";
import { takeChanges } from "../../../../testing/agent-edits.ts";
import { aConnection, anAgent, anMcpServer } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const stranger = { as: { known: { named: null, tried: {} } } };
const tool = (name: string) => ({
  ...{ tool_call_id: `almanac__${name}`, name, description: null, input_schema: {} },
});

async function openSettings(tools: AgentTool[], options: Parameters<typeof renderConsole>[1] = {}) {
  service().state.agents = [anAgent({ tools })];
  takeChanges(service());
  service().override(listMcpServers, { servers: [anMcpServer()] });
  service().override(listMcpTools, { tools: [tool("weekday"), tool("add_days")] });
  const view = renderConsole("/agents/agent_clerk/settings", options);
  await view.user.click(await screen.findByRole("button", { name: "Add tools" }));
  return { ...view, list: within(await screen.findByRole("dialog", { name: "Tools" })) };
}
type View = Awaited<ReturnType<typeof openSettings>>;

/** Closes the list and saves. @returns what was sent */
async function save({ user }: View): Promise<unknown> {
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: /^Save as version/ }));
  await screen.findByText(/^Saved as version/);
  const [sent] = service().seen(updateAgent);
  return sent?.body;
}

describe("giving an agent its tools", () => {
  it("offers the built-in tools with what they do, ticks what the agent has, and gives several at once", async () => {
    const view = await openSettings([{ type: "http_get" }]);
    const { user, list } = view;
    expect(await list.findByRole("option", { name: /^http_get/ })).toBeChecked();
    const write = list.getByRole("option", { name: /^write_file/ });
    expect(write).toHaveTextContent("Writes a text file people can open");
    expect(write).not.toBeChecked();
    await user.click(write);
    await user.click(list.getByRole("option", { name: /^read_file/ }));
    await user.click(list.getByRole("option", { name: /^http_get/ }));
    expect(write).toBeChecked();
    expect(await save(view)).toMatchObject({ tools: [{ type: "write_file" }, { type: "read_file" }] });
  });

  it("finds and gives with the keyboard alone", async () => {
    const view = await openSettings([]);
    const { user, list } = view;
    expect(await list.findByRole("combobox")).toHaveFocus();
    await user.keyboard("web address{Enter}");
    expect(list.getAllByRole("option")).toHaveLength(1);
    expect(list.getByRole("option", { name: /^http_get/ })).toBeChecked();
    await user.clear(list.getByRole("combobox"));
    await user.keyboard("{ArrowUp}{Enter}");
    expect(await save(view)).toMatchObject({
      tools: [{ type: "http_get" }, { type: "flow", saved_item_id: "flow_hello" }],
    });
  });

  it("gives single tools of a server, which is asked for them when they are opened", async () => {
    const view = await openSettings([]);
    const { user, list } = view;
    const single = await list.findByRole("option", { name: "Show tools of Almanac" });
    expect(service().seen(listMcpTools)).toHaveLength(0);
    await user.click(single);
    await user.click(await list.findByRole("option", { name: /^weekday/ }));
    expect(list.getByRole("option", { name: "All tools of Almanac" })).toHaveAttribute(
      "aria-checked",
      "mixed",
    );
    expect(await save(view)).toMatchObject({
      tools: [{ type: "gumcp_server", server_id: "almanac", allowed_tool_call_ids: ["almanac__weekday"] }],
    });
  });

  it("says of a service without an inbox that it refuses what is to be asked first, in the list and beside the server", async () => {
    const tools = [{ type: "mcp_server", server_id: "almanac", approval_mode: "all" }];
    const asking = await openSettings(tools);
    expect(await asking.list.findByText(/its own setting under Approvals/)).toBeInTheDocument();
    expect(screen.queryByText(/every call of these tools is refused/)).toBeNull();
    asking.unmount();
    const named = ["builtin_tools", "mcp_tools"] as const;
    const { list } = await openSettings(tools, { as: { known: { named: [...named], tried: {} } } });
    expect(
      await list.findByText(/This service can’t ask anyone, so it refuses such calls/),
    ).toBeInTheDocument();
    expect(screen.getByText(/every call of these tools is refused/)).toBeInTheDocument();
  });

  it("offers no built-in tool on a service that does not name them, and leaves one that is there as it came", async () => {
    const { list } = await openSettings([{ type: "write_file" }], stranger);
    await list.findByRole("option", { name: "All tools of Almanac" });
    expect(list.queryByRole("option", { name: /write_file|read_file|http_get/ })).toBeNull();
    expect(list.getByText(/the service decides whom to ask/)).toBeInTheDocument();
    const row = screen.getByRole("list", { name: "Tools" });
    expect(row).toHaveTextContent("custom");
  });

  it("gives tools to an agent while it is made", async () => {
    service().override(createAgent, ({ body }) => ({
      agent: anAgent({ name: body.name, tools: body.tools ?? [] }),
    }));
    const { user } = renderConsole("/agents/new");
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "Writer");
    expect(screen.getByText("None: the agent only replies.")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Add tools" }));
    await user.click(await screen.findByRole("option", { name: /^write_file/ }));
    await user.keyboard("{Escape}");
    expect(within(screen.getByRole("list", { name: "Tools" })).getByText("built in")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Create agent" }));
    await waitFor(() => expect(service().seen(createAgent)).toHaveLength(1));
    expect(service().seen(createAgent)[0]?.body).toMatchObject({ tools: [{ type: "write_file" }] });
  });
});

describe("search_knowledge", () => {
  const source = (id: string, name: string) => ({
    ...{ id, name, source_type: "direct_file_uploads" as const, status: "active" as const },
    ...{ scope: "personal" as const, team_id: null, created_by_user_id: "user_ada" },
    created_at: "2026-11-20T08:00:00Z",
  });

  it("is limited to the sources that are chosen, and is the same tool before and after", async () => {
    service().override(listSources, {
      sources: [source("source_law", "Case law"), source("source_tides", "Tides")],
      next_cursor: null,
    });
    const view = await openSettings([{ type: "search_knowledge" }]);
    const { user } = view;
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "search_knowledge" }));
    await user.click(screen.getByRole("radio", { name: "Selected sources" }));
    expect(screen.getByText("None selected: the search finds nothing.")).toBeInTheDocument();
    await user.click(await screen.findByRole("switch", { name: "Tides" }));
    expect(screen.getByText("1 source")).toBeInTheDocument();
    expect(screen.queryByText("removed")).toBeNull();
    expect(await save(view)).toMatchObject({
      tools: [{ type: "search_knowledge", source_ids: ["source_tides"] }],
    });
  });
});

describe("a server that cannot be used just now", () => {
  const unasked: Partial<McpServer> = {
    status: "unauthenticated",
    connection: aConnection({ auth: "none", signed_in_at: null, succeeded_at: null }),
  };
  it.each([
    ["one that needs no sign-in and was not asked", unasked, "not checked yet"],
    [
      "one that nobody is signed in to",
      { status: "unauthenticated" as const, connection: aConnection({ signed_in_at: null }) },
      "not connected",
    ],
  ])("%s is never said to be signed out of", async (_, part, words) => {
    service().state.agents = [anAgent({ tools: [{ type: "mcp_server", server_id: "almanac" }] })];
    takeChanges(service());
    service().override(listMcpServers, { servers: [anMcpServer(part)] });
    renderConsole("/agents/agent_clerk/settings");
    const tools = within(await screen.findByRole("list", { name: "Tools" }));
    await tools.findByText(words);
    expect(screen.queryByText(/signed out/)).toBeNull();
  });
});
