import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listAgents } from "../../../contract/agents.ts";
import { listMcpServers, listMcpTools, type McpServer } from "../../../contract/mcp.ts";
import { startMcpSignIn } from "../../../contract/mcp-connection.ts";
import { aConnection, anAgent, anMcpServer } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const coreOnly = { as: { known: { named: null, tried: { mcp_tools: false } } } };

const tool = (name: string) => ({
  ...{ tool_call_id: `almanac__${name}`, name, description: null, input_schema: {} },
});
const unasked = anMcpServer({
  ...{ status: "unauthenticated", tool_count: null },
  connection: aConnection({ auth: "none", signed_in_at: null, succeeded_at: null }),
});
const answering = anMcpServer({ connection: aConnection({ auth: "none", signed_in_at: null }) });
const failing = (failure: string) =>
  anMcpServer({
    ...{ status: "unauthenticated", tool_count: null },
    connection: aConnection({
      ...{ auth: "none", signed_in_at: null, succeeded_at: null, failure },
      failed_at: new Date().toISOString(),
    }),
  });

/** A catalogue that says something else once the server was asked. */
function asked(before: McpServer, after: McpServer, answer: Parameters<typeof reply>[0] = ["weekday"]) {
  const isAsked = () => service().seen(listMcpTools).length > 0;
  service().override(listMcpServers, () => ({ servers: [isAsked() ? after : before] }));
  reply(answer);
}
function reply(answer: readonly string[] | Refusal) {
  const isRefused = answer instanceof Refusal;
  service().override(listMcpTools, isRefused ? answer : { tools: answer.map(tool) });
}

const panel = async () => within(await screen.findByRole("region", { name: "The selected server" }));
const side = async (who: string) => within(await (await panel()).findByRole("region", { name: who }));

describe("a server that nobody has used yet", () => {
  it("is asked when the page opens where it needs no sign-in, and then shows its state and tools", async () => {
    asked(unasked, answering, ["weekday", "add_days"]);
    renderConsole("/mcp?server=almanac");
    const everybody = await side("Everyone");
    await everybody.findByText("connected");
    expect(everybody.getByText("No sign-in needed")).toBeInTheDocument();
    expect(await (await panel()).findByRole("button", { name: "weekday" })).toBeInTheDocument();
    expect(service().seen(listMcpTools)).toHaveLength(1);
  });

  it("is not asked by looking at the catalogue where people sign in to it, and never says “not asked” of it", async () => {
    const connection = aConnection({ signed_in_at: null, succeeded_at: null });
    asked(anMcpServer({ status: "unauthenticated", connection }), answering);
    renderConsole("/mcp?server=almanac");
    const you = await side("You");
    expect(you.getByText("not connected")).toBeInTheDocument();
    expect(you.getByRole("button", { name: "Connect" })).toBeInTheDocument();
    expect(service().seen(listMcpTools)).toHaveLength(0);
  });

  it("says “not asked yet”, not “not connected”, while it is not asked", async () => {
    service().override(listMcpServers, { servers: [unasked] });
    // The service tells what it knows, and asks no server for anybody.
    renderConsole("/mcp", coreOnly);
    const row = within(await screen.findByRole("row", { name: /Almanac/ }));
    expect(row.getAllByText("not checked yet").length).toBeGreaterThan(0);
    expect(row.queryByText("not connected")).toBeNull();
  });

  it("is not asked again and again because it failed a moment ago", async () => {
    service().override(listMcpServers, { servers: [failing("The MCP server Almanac cannot be reached.")] });
    renderConsole("/mcp");
    await screen.findByRole("row", { name: /Almanac/ });
    expect(service().seen(listMcpTools)).toHaveLength(0);
  });
});

describe("servers that do not answer", () => {
  it("are asked once each when the page opens, and do not slow the console down", async () => {
    const servers = Array.from({ length: 8 }, (_, at) => ({
      ...unasked,
      ...{ server_id: `server_${at}`, name: `Server ${at}` },
    }));
    service().override(listMcpServers, { servers });
    service().override(listMcpTools, new Refusal("tool_call_failed"));
    renderConsole("/mcp");
    await waitFor(() => expect(service().seen(listMcpTools)).toHaveLength(8));
    await waitFor(() => expect(screen.queryByText("checking…")).toBeNull());
    expect(screen.getByText("Live")).toBeInTheDocument();
    expect(service().seen(listMcpTools)).toHaveLength(8);
  });
});

describe("Check now", () => {
  it("asks a connected server, and says when it was asked and with how many tools it answered", async () => {
    const connected = anMcpServer({ connection: aConnection() });
    asked(connected, connected, ["weekday", "add_days"]);
    const { user } = renderConsole("/mcp?server=almanac");
    const you = await side("You");
    await user.click(you.getByRole("button", { name: "Check now" }));
    expect(await you.findByText(/^checked .*: responded with 2 tools$/)).toBeInTheDocument();
    expect(you.getByRole("status")).toHaveTextContent("responded with 2 tools");
  });

  it("shows why a server failed, once, with the last lines of its command", async () => {
    const sentence = "The MCP server Almanac stopped at its start.";
    const failure = `${sentence}\nError: no calendar`;
    asked(
      failing("The MCP server Almanac cannot be reached."),
      failing(failure),
      new Refusal("tool_call_failed", { message: failure }),
    );
    const { user } = renderConsole("/mcp?server=almanac");
    const everybody = await side("Everyone");
    await user.click(everybody.getByRole("button", { name: "Check now" }));
    expect(await everybody.findByText(`: ${sentence}`, { exact: false })).toBeInTheDocument();
    const shown = await panel();
    expect(shown.getByText("Error: no calendar")).toBeInTheDocument();
    expect(shown.queryByRole("alert")).toBeNull();
  });

  it("says of one that wants somebody that nobody is signed in", async () => {
    const connection = aConnection({ signed_in_at: null, succeeded_at: null });
    const closed = anMcpServer({ status: "unauthenticated", connection });
    service().override(listMcpServers, { servers: [closed] });
    service().override(listMcpTools, { tools: [], status: "unauthenticated" });
    const { user } = renderConsole("/mcp?server=almanac");
    const you = await side("You");
    await user.click(you.getByRole("button", { name: "Check now" }));
    await you.findByText(/^checked .*sign-in required/);
  });

  it("reads the catalogue again where the service has no more than that", async () => {
    service().override(
      listMcpServers,
      { servers: [anMcpServer({ status: "unauthenticated" })] },
      { times: 2 },
    );
    const { user } = renderConsole("/mcp?server=almanac", coreOnly);
    const you = await side("You");
    await you.findByText("not connected");
    service().override(listMcpServers, { servers: [anMcpServer()] });
    await user.click(you.getByRole("button", { name: "Check now" }));
    await you.findByText("connected");
    expect(you.getByText(/^checked .*the list was refreshed/)).toBeInTheDocument();
    expect(service().seen(listMcpTools)).toHaveLength(0);
  });

  it("finds out by itself that a stranger's service asks no servers, and reads its catalogue again", async () => {
    service().override(listMcpServers, { servers: [anMcpServer({ status: "unauthenticated" })] });
    service().override(listMcpTools, () => new Refusal("not_found"));
    const { user } = renderConsole("/mcp?server=almanac", { as: { known: { named: null, tried: {} } } });
    const you = await side("You");
    await user.click(you.getByRole("button", { name: "Check now" }));
    await you.findByText(/^checked .*the list was refreshed/);
  });
});

describe("Connect, where a server offers no sign-in", () => {
  const closed = anMcpServer({
    status: "unauthenticated",
    connection: aConnection({ signed_in_at: null, succeeded_at: null }),
  });
  const refuseSignIn = () => service().override(startMcpSignIn, new Refusal("sign_in_not_offered"));

  it("is good news where the server answers without one", async () => {
    asked(closed, answering, ["weekday"]);
    refuseSignIn();
    const { user } = renderConsole("/mcp?server=almanac");
    await user.click((await side("You")).getByRole("button", { name: "Connect" }));
    await screen.findByText("Almanac needs no sign-in");
    await (await side("Everyone")).findByText("connected");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("says so where it does not answer either", async () => {
    asked(closed, closed, new Refusal("tool_call_failed"));
    refuseSignIn();
    const { user } = renderConsole("/mcp?server=almanac");
    await user.click((await side("You")).getByRole("button", { name: "Connect" }));
    await (await panel()).findByRole("alert");
    expect(screen.queryByText(/needs no sign-in/)).toBeNull();
  });
});

describe("the servers that need somebody", () => {
  const named = (server_id: string, name: string, part: Partial<McpServer> = {}) =>
    anMcpServer({ server_id, name, status: "unauthenticated", ...part });
  const ended = { connection: aConnection() };
  const changed = {
    status: "connected" as const,
    connection: aConnection({ held_tool_call_ids: ["zebra__go"] }),
  };
  const servers = [
    named("drive", "Drive", ended),
    named("notes", "Notes", ended),
    named("zebra", "Zebra", changed),
  ];
  const some = () => {
    service().override(listMcpServers, { servers });
    service().override(listAgents, ({ query }) => ({
      agents: query.tool === "notes" || query.tool === undefined ? [anAgent()] : [],
      next_cursor: null,
    }));
  };

  it("are the same on the overview and on the page of servers: changed tools first, then those that agents use", async () => {
    some();
    const { router } = renderConsole("/mcp");
    const band = within(await screen.findByRole("list", { name: "Servers that need attention" }));
    await band.findByText("and 1 more: see “Needs you”");
    const names = ["Zebra has changed its tools", "Notes no longer accepts the sign-in"];
    const bands = band.getAllByRole("listitem").map((one) => one.textContent ?? "");
    expect(bands.slice(0, 2).map((text, at) => text.includes(names[at] ?? "?"))).toEqual([true, true]);
    await router.navigate({ to: "/" });
    const group = within(await screen.findByRole("region", { name: "MCP servers" }));
    await waitFor(() =>
      expect(
        group.getAllByRole("link", { name: /^(Zebra|Notes|Drive)/ }).map((one) => one.textContent),
      ).toEqual(names),
    );
  });

  it("let the tools be looked at that block a server whole", async () => {
    const blocked = anMcpServer({
      status: "blocked",
      connection: aConnection({ held_tool_call_ids: ["almanac__weekday"] }),
    });
    service().override(listMcpServers, { servers: [blocked] });
    service().override(listMcpTools, { tools: [tool("weekday")] });
    renderConsole("/mcp?server=almanac");
    await (await panel()).findByRole("button", { name: "weekday" });
    const band = within(screen.getByRole("list", { name: "Servers that need attention" }));
    expect(band.getByText(/has changed its tools/)).toBeInTheDocument();
  });
});
