import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { updateAgent } from "../../../../contract/agents.ts";
import { listMcpServers } from "../../../../contract/mcp.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

describe("the settings of an agent", () => {
  it("shows everything of it", async () => {
    service().override(listMcpServers, { servers: [] });
    const { user } = renderConsole("/agents/agent_clerk/settings");
    const name = await screen.findByRole("textbox", { name: "Name" });
    await user.clear(name);
    await user.type(name, "Clerk 2");
    expect(screen.getByText("1 field edited.")).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "System prompt" })).toHaveTextContent("Be brief."),
    );
    expect(
      within(screen.getByRole("region", { name: "What will be sent" })).getByText(/Clerk 2/),
    ).toBeInTheDocument();
    void anAgent;
    void updateAgent;
  });
});
