import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { listMcpTools } from "../../../../contract/mcp.ts";
import { takeChanges } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

it("lets the tools of a server be chosen once they are known: choosing begins with all, never with none", async () => {
  service().state.agents = [anAgent({ tools: [{ type: "mcp_server", server_id: "almanac" }] })];
  takeChanges(service());
  const day = { tool_call_id: "almanac__day", name: "day", description: null, input_schema: {} };
  const arrive = service().holdBack(listMcpTools, { tools: [day] });
  const { user } = renderConsole("/agents/agent_clerk/settings");
  await user.click(await screen.findByRole("button", { name: "almanac" }));
  await screen.findByText("Loading tools…");
  expect(screen.queryByRole("radio", { name: "Selected tools" })).toBeNull();
  arrive();
  await user.click(await screen.findByRole("radio", { name: "Selected tools" }));
  expect(await screen.findByRole("switch", { name: "day" })).toBeChecked();
});
