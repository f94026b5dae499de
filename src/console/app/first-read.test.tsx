import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { explainPermissions, getOwnRoles } from "../../contract/admin.ts";
import { listConsoleSessions, listKeys } from "../../contract/admin-keys.ts";
import { getPerson, listPeople } from "../../contract/admin-people.ts";
import { listAdminTeams } from "../../contract/admin-teams.ts";
import { listAgents, listAgentVersions } from "../../contract/agents.ts";
import { listArtifacts } from "../../contract/artifacts.ts";
import { listAudit } from "../../contract/audit.ts";
import type { Endpoint } from "../../contract/define.ts";
import { getDiagnostics } from "../../contract/diagnostics.ts";
import {
  getEvaluationConfig,
  getEvaluationMetrics,
  listEvaluationResults,
} from "../../contract/evaluations.ts";
import { listInbox } from "../../contract/inbox.ts";
import { listSources } from "../../contract/knowledge.ts";
import { listMcpServers } from "../../contract/mcp.ts";
import { listConnectedPrograms, listPrograms } from "../../contract/programs.ts";
import { getRetention } from "../../contract/retention.ts";
import { listRuns } from "../../contract/runs.ts";
import { listSessions } from "../../contract/sessions.ts";
import { never } from "../../testing/msw.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";

const service = mockServicePerTest();

/** Pages that stand on one read: where, which, and what is said when it cannot be had. */
const pages: readonly (readonly [address: string, endpoint: Endpoint, said: RegExp])[] = [
  ["/", listRuns, /The runs could not be loaded/],
  ["/runs", listRuns, /The runs could not be loaded/],
  ["/agents", listAgents, /The agents could not be loaded/],
  ["/mcp", listMcpServers, /could not be loaded/],
  ["/inbox", listInbox, /The inbox could not be loaded/],
  ["/knowledge", listSources, /could not be loaded/],
  ["/artifacts", listArtifacts, /The artifacts could not be loaded/],
  ["/artifacts/shared", listArtifacts, /could not be loaded/],
  ["/evaluations", listAgents, /The agents could not be loaded/],
  ["/retention", getRetention, /The retention preview could not be loaded/],
  ["/admin", getOwnRoles, /Your roles could not be loaded/],
  ["/admin?tab=people", listPeople, /The people could not be loaded/],
  ["/admin?tab=teams", listAdminTeams, /The teams could not be loaded/],
  ["/admin?tab=keys", listKeys, /The keys could not be loaded/],
  ["/admin?tab=sessions", listConsoleSessions, /The sessions could not be loaded/],
  ["/admin?tab=connected", listConnectedPrograms, /The connected programs could not be loaded/],
  ["/admin?tab=programs", listPrograms, /The programs could not be loaded/],
  [
    "/admin?tab=permissions&user=user_ada&object=team&object_id=team_harbor",
    explainPermissions,
    /The permissions could not be loaded/,
  ],
  ["/admin?tab=audit", listAudit, /The audit log could not be loaded/],
  ["/admin?tab=health", getDiagnostics, /The look at the installation could not be loaded/],
  ["/agents/agent_clerk", listSessions, /The conversations could not be loaded/],
  ["/agents/agent_clerk/versions", listAgentVersions, /could not be loaded/],
  ["/agents/agent_clerk/evaluations", getEvaluationMetrics, /could not be loaded/],
];

describe("a page whose first read failed", () => {
  it.each(pages)("%s keeps saying so while the next try takes its time", async (address, endpoint, said) => {
    for (const beside of [getEvaluationConfig, listEvaluationResults, getPerson])
      service().override(beside, never);
    service().override(endpoint, never);
    // What nothing polls is tried three times at once.
    const unpolled: readonly Endpoint[] = [listAgentVersions, getRetention, getDiagnostics];
    const times = unpolled.includes(endpoint) ? 3 : 1;
    service().override(endpoint, new Response("", { status: 502 }), { times });
    renderConsole(address);
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(said);
    // It is tried again by itself, or by hand.
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Retry" })));
    await waitFor(() => expect(service().seen(endpoint).length).toBeGreaterThan(times));
    expect(screen.getByRole("alert")).toHaveTextContent(said);
    expect(screen.queryByText(/No .* (known )?yet|Something went wrong|Showing all/)).toBeNull();
  });
});
