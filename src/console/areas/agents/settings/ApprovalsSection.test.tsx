import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type Agent, updateAgent } from "../../../../contract/agents.ts";
import { getAgentApprovals } from "../../../../contract/inbox.ts";
import { listMcpTools } from "../../../../contract/mcp.ts";
import { takeChanges } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { ada, bob } from "../../../../testing/inbox.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const address = "/agents/agent_clerk/settings?section=metadata.approvals";
const section = async () => within(await screen.findByRole("region", { name: "Approvals" }));
const calls = async (tool: string) =>
  within(await (await section()).findByRole("group", { name: `Calls of ${tool}` }));

const aTool = (name: string) => ({
  ...{ tool_call_id: `mail__${name}`, name, description: null, input_schema: {} },
});

/** An agent with a mail server and a built-in tool. */
function withAgent(part: Partial<Agent> = {}) {
  const tools = [{ type: "mcp_server", server_id: "mail" }, { type: "write_file" }];
  service().state.agents = [anAgent({ tools, ...part })];
  takeChanges(service());
  service().override(listMcpTools, { tools: [aTool("send"), aTool("delete"), aTool("read")] });
}

const saved = async (user: ReturnType<typeof renderConsole>["user"]) => {
  await user.click(await screen.findByRole("button", { name: /^Save/ }));
  await waitFor(() => expect(service().seen(updateAgent)).not.toHaveLength(0));
  return service().seen(updateAgent).at(-1)?.body;
};

describe("how calls of an agent's tools are approved", () => {
  it("is chosen for each tool, and only what differs from its server is written down", async () => {
    withAgent();
    const { user } = renderConsole(address);
    await user.click(await (await section()).findByRole("button", { name: "mail All run" }));
    await user.click((await calls("send")).getByRole("radio", { name: "Ask" }));
    await user.click((await calls("delete")).getByRole("radio", { name: "Never" }));
    await user.click((await calls("write_file")).getByRole("radio", { name: "Ask" }));
    await user.click((await calls("write_file")).getByRole("radio", { name: "Run" }));
    expect((await section()).getByText("Others run, 1 ask and 1 never")).toBeInTheDocument();
    expect(await saved(user)).toMatchObject({
      metadata: { approvals: { tools: { mail__send: "ask", mail__delete: "never" } } },
    });
  });

  it("is shown once for a server that the agent has twice", async () => {
    const mail = { type: "mcp_server", server_id: "mail" };
    withAgent({ tools: [mail, { ...mail, allowed_tool_call_ids: ["mail__send"] }] });
    renderConsole(address);
    const list = within(await (await section()).findByRole("list", { name: "Approval of tools" }));
    expect(list.getAllByRole("listitem")).toHaveLength(1);
  });

  it("cannot go below the team's floor, which says whose it is and what it replaces", async () => {
    withAgent({ metadata: { approvals: { tools: { mail__read: "ask" } } } });
    service().override(getAgentApprovals, {
      floors: [
        { tools: "mail__*", at_least: "ask", team_id: "team_harbor" },
        { tools: "mail__delete", at_least: "never", team_id: null },
      ],
      operators: [],
      candidates: [],
    });
    const { user } = renderConsole(address);
    await user.click(await (await section()).findByRole("button", { name: /^mail/ }));
    const send = await calls("send");
    expect(send.getByRole("radio", { name: "Ask" })).toBeChecked();
    expect(send.queryByRole("radio", { name: "Run" })).toBeNull();
    const row = (await section()).getByText("delete").closest("li");
    expect(row).toHaveTextContent("This service: at least neverNever");
    expect((await section()).getAllByText("Team Harbor: at least ask")).toHaveLength(2);
  });

  it("names who may answer and after how long a question lapses", async () => {
    withAgent();
    service().override(getAgentApprovals, { floors: [], operators: [bob], candidates: [ada, bob] });
    const { user } = renderConsole(address);
    const who = await (await section()).findByRole("combobox", { name: "Who may answer" });
    await user.selectOptions(who, "Operators of its team");
    await (await section()).findByText("Operators of the agent’s team: Bob Ross.");
    await user.selectOptions(who, "People named here");
    await user.click(await (await section()).findByRole("checkbox", { name: "Bob Ross" }));
    const limit = (await section()).getByRole("textbox", { name: "Time limit" });
    await user.type(limit, "40");
    await (await section()).findByText("Between 1 minute and 30 days");
    await user.clear(limit);
    await user.type(limit, "2");
    await user.selectOptions(
      (await section()).getByRole("combobox", { name: "Unit of the time limit" }),
      "hours",
    );
    expect(await saved(user)).toMatchObject({
      metadata: { approvals: { who: "people", people: ["user_bob"], lapse_s: 7_200 } },
    });
  });

  it("says where the floor could not be read, that it counts all the same", async () => {
    withAgent();
    service().override(getAgentApprovals, new Refusal("internal"));
    renderConsole(address);
    await screen.findByText(/minimum could not be loaded.*It counts anyway/);
  });

  it("C-02: stays as JSON where it holds what the form does not know, and stays away where the service asks nobody", async () => {
    withAgent({ metadata: { approvals: { who: "the_moon" } } });
    const odd = renderConsole(address);
    await screen.findByRole("textbox", { name: "Approvals as JSON" });
    odd.unmount();
    withAgent();
    renderConsole(address, { as: { known: { named: ["mcp_tools"], tried: {} } } });
    await screen.findByRole("heading", { name: "Tools" });
    expect(screen.queryByRole("region", { name: "Approvals" })).toBeNull();
  });
});
