import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { explainPermissions, getOwnRoles } from "../../../contract/admin.ts";
import { type TeamRole, teamRights, teamRoles } from "../../../contract/roles.ts";
import { getRunDetails } from "../../../contract/run.ts";
import { withAdmin } from "../../../testing/admin.ts";
import { aDoneRun, anAgent, someRunDetails } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

function as(role: TeamRole | null): void {
  withAdmin(service(), { role: "member", inHarbor: role });
  service().state.agents = [anAgent({ team_id: "team_harbor" })];
}

/** What each page says where the role is too weak, and the weakest role for which it says nothing. */
const pages: readonly (readonly [address: string, needs: TeamRole, words: RegExp, there: RegExp])[] = [
  ["/agents/agent_clerk/settings", "editor", /^You are (\w+) in Harbor; this takes Editor\.$/, /Save/],
  [
    "/agents/agent_clerk/conversations/new",
    "operator",
    /^You are (\w+) in Harbor; this takes Operator\.$/,
    /Start/,
  ],
];

describe.each(pages)("S-191: %s", (address, needs, words, there) => {
  it.each(teamRoles)("to a %s", async (role) => {
    as(role);
    renderConsole(address);
    const may = teamRoles.indexOf(role) >= teamRoles.indexOf(needs);
    if (may) {
      expect(await screen.findByRole("button", { name: there })).toBeInTheDocument();
      expect(screen.queryByText(/this takes/)).toBeNull();
    } else {
      const said = await screen.findByText((_, element) => words.test(sentenceOf(element)));
      expect(said).toBeInTheDocument();
      expect(screen.queryByRole("button", { name: there })).toBeNull();
    }
  });
});

/** The words of an element, without what stands before a colon. */
const sentenceOf = (element: Element | null): string =>
  element?.children.length ? lastText(element) : (element?.textContent ?? "");
const lastText = (element: Element): string =>
  [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent ?? "")
    .join("")
    .replace(/^:?\s*/, "")
    .trim();

describe("S-191: a run of a team", () => {
  const run = { run_id: "run_1", state: "RUNNING" as const, finished_ts: null };
  it.each([
    ["a viewer who did not begin it", "user_grace", true],
    ["a viewer who began it", "user_ada", false],
  ])("is stopped by %s", async (_, userId, isBarred) => {
    as("viewer");
    service().state.runs = [aDoneRun({ ...run, user_id: userId })];
    service().override(getRunDetails, someRunDetails({ ...run, user_id: userId, project_id: "team_harbor" }));
    renderConsole("/runs/run_1");
    const stop = () => screen.findByRole("button", { name: "Stop run" });
    if (isBarred)
      await waitFor(async () =>
        expect(await stop()).toHaveAccessibleDescription("You are Viewer in Harbor; this takes Operator"),
      );
    else expect(await stop()).not.toHaveAttribute("aria-disabled");
  });
});

describe("S-191: a flow of which it is not told whose it is", () => {
  it("is asked about where the person lacks the right somewhere, and says which role it takes", async () => {
    as("viewer");
    service().override(explainPermissions, {
      answers: teamRights.map((right) => ({
        ...{ right, role: "viewer" as const, team_id: "team_harbor", needs: "operator" as const },
        ...{ allowed: right === "see", rule: "team_role" as const },
      })),
    });
    renderConsole("/runs/new?flow=flow_hello");
    expect(await screen.findByText("You are Viewer in Harbor; this takes Operator")).toBeInTheDocument();
    expect(service().seen(explainPermissions)[0]?.url.search).toBe("?object=flow&object_id=flow_hello");
  });

  it("is offered to an editor without a question, and where roles cannot be read the service decides", async () => {
    as("editor");
    const first = renderConsole("/runs/new?flow=flow_hello");
    expect(await screen.findByRole("button", { name: "Start run" })).not.toHaveAttribute("aria-disabled");
    expect(service().seen(explainPermissions)).toHaveLength(0);
    first.unmount();
    service().override(getOwnRoles, new Refusal("forbidden"));
    renderConsole("/runs/new?flow=flow_hello");
    expect(await screen.findByRole("button", { name: "Start run" })).not.toHaveAttribute("aria-disabled");
  });
});
