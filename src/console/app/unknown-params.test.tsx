import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { listAgents } from "../../contract/agents.ts";
import { listArtifacts } from "../../contract/artifacts.ts";
import { listMcpServers } from "../../contract/mcp.ts";
import { listRuns } from "../../contract/runs.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";

const service = mockServicePerTest();

it.each([
  ["/runs?search=harbor", "No runs yet"],
  ["/runs?view=nonsense&started=5y", "No runs yet"],
  ["/agents?search=harbor", "No agents yet"],
  ["/agents?of=true&q=", "No agents yet"],
  ["/mcp?show=nonsense&type=nonsense", "No MCP servers yet"],
  ["/artifacts?since=nonsense&of=nonsense", "No artifacts yet"],
])("what a list does not understand of its address is no filter: %s", async (address, words) => {
  service().override(listRuns, { runs: [], next_cursor: null });
  service().override(listAgents, { agents: [], next_cursor: null });
  service().override(listMcpServers, { servers: [] });
  service().override(listArtifacts, { artifacts: [], next_cursor: null });
  renderConsole(address);
  await screen.findByText(words);
  expect(screen.queryByText(/matching/)).toBeNull();
});
