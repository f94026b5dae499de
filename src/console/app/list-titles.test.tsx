import { waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { searchKnowledge } from "../../contract/knowledge.ts";
import { withAdmin } from "../../testing/admin.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";
import { withRubric } from "../../testing/rubrics.ts";

const service = mockServicePerTest();

it.each([
  ["/inbox?state=answered", "Answered · Inbox"],
  ["/knowledge?tab=search", "Search · Knowledge"],
  ["/knowledge?tab=search&q=berths", "“berths” · Search · Knowledge"],
  ["/mcp?q=drive&show=needs-you&type=mcp_server", "“drive” · Needs you · Custom · MCP servers"],
  ["/evaluations?days=90", "last 90 days · Evaluations"],
  ["/evaluations?tab=rubrics", "Saved rubrics · Evaluations"],
  ["/evaluations?tab=rubrics&rubric=new", "New rubric · Saved rubrics · Evaluations"],
  ["/evaluations?tab=rubrics&rubric=evaluation_1", "No promises · Saved rubrics · Evaluations"],
  ["/search?q=ferry&in=run", "“ferry” · Runs · Search"],
  ["/admin?tab=people&q=grace&state=invited", "“grace” · Invited · People"],
  ["/admin?tab=teams&state=retired", "Retired · Teams"],
  [
    "/admin?tab=audit&object=agent&user=user_grace&from=2026-11-20",
    "Agent · By Grace Hopper · from 2026-11-20 · Audit log",
  ],
])("the tab of %s says what the list is narrowed to", async (address, title) => {
  withAdmin(service());
  withRubric(service(), { name: "No promises" });
  service().override(searchKnowledge, { results: [] });
  renderConsole(address);
  await waitFor(() => expect(document.title).toBe(`${title} · Wheelhouse`));
});
