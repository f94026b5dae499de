import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listAgentVersions } from "../../contract/agents.ts";
import { listSessions } from "../../contract/sessions.ts";
import { anArtifact } from "../../testing/access.ts";
import { anAgent } from "../../testing/builders.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";

const service = mockServicePerTest();

const { creator } = anArtifact();
const session = {
  ...{ id: "int_9", agent_id: "agent_clerk", agent_name: "Clerk", name: "Rates", type: "console" as const },
  ...{ state: "completed" as const, created_at: "2026-11-20T08:15:00.000Z", creator },
};
const version = {
  ...{ id: "agent_clerk.1", major_version: 1, is_deployed: true, created_at: "2026-11-20T08:15:04.000Z" },
  ...{ creator, changed: ["name"] },
};

/** Everything is Ada's, who is signed in. */
function withWorkOfAda() {
  const { state } = service();
  state.agents = [anAgent({ creator, version: 1 })];
  state.artifacts = [anArtifact({ agent_id: "agent_clerk" })];
  service().override(listSessions, { sessions: [session], next_cursor: null });
  service().override(listAgentVersions, { versions: [version], next_cursor: null });
}

describe("somebody's own work is by you, never by their name,", () => {
  it.each([
    ["in the list of agents", "/agents"],
    ["in the panel of an agent", "/agents?agent=agent_clerk"],
    ["in an agent's conversations", "/agents/agent_clerk"],
    ["in an agent's versions", "/agents/agent_clerk/versions"],
    ["in the list of artifacts", "/artifacts"],
  ])("%s", async (_, address) => {
    withWorkOfAda();
    renderConsole(address);
    expect((await screen.findAllByText(/\byou$/)).length).toBeGreaterThan(0);
    expect(screen.getByRole("main")).not.toHaveTextContent("Ada Sample");
  });
});
