import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { explainPermissions } from "../../../../contract/admin.ts";
import { anAdminPerson, grace, withAdmin } from "../../../../testing/admin.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const viewer = () =>
  grace({ teams: [{ id: "team_harbor", name: "Harbor", role: "viewer", by_groups: false }] });
const answer = async () => within(await screen.findByRole("region", { name: "Answer" }));

describe("what somebody can do", () => {
  it("shows each right with the answer and the rule behind it, from a link", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    renderConsole("/admin?tab=permissions&user=user_grace&object=agent&object_id=agent_clerk");
    const rows = await (await answer()).findAllByRole("listitem");
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "See itAllowedThey are Viewer in its team.",
      "Run it, download from it, answer approvalsNot allowedThey are Viewer in its team; this takes Operator.",
      "Change itNot allowedThey are Viewer in its team; this takes Editor.",
      "Manage members and team keysNot allowedThey are Viewer in its team; this takes Admin.",
    ]);
    expect(await screen.findByRole("link", { name: "Grace Hopper" })).toHaveAttribute(
      "href",
      expect.stringContaining("user_grace"),
    );
    expect(service().seen(explainPermissions).at(-1)?.url.search).toBe("?object=agent&object_id=agent_clerk");
  });

  it("is asked by person, kind and id, which the address keeps", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    const { user, router } = renderConsole("/admin?tab=permissions");
    await screen.findByText("What can they do?");
    await user.click(await screen.findByRole("button", { name: "Change person" }));
    await user.click(await screen.findByRole("radio", { name: /Grace Hopper/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ user: "user_grace" }));
    await user.selectOptions(screen.getByLabelText("Object"), "Team");
    await user.type(screen.getByLabelText("ID"), " team_harbor {Enter}");
    expect(await (await answer()).findByText("They are Viewer in its team.")).toBeInTheDocument();
    expect(router.state.location.search).toEqual({
      ...{ tab: "permissions", user: "user_grace", object: "team", object_id: "team_harbor" },
    });
  });

  it("says that there is no such object, and asks for others only as an admin", async () => {
    withAdmin(service(), { role: "member" });
    renderConsole("/admin?tab=permissions&object=team&object_id=team_gone");
    expect(await screen.findByText("Team or person not found")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Change person" })).toBeNull();
    expect(screen.getByText("Only admins of the installation can ask about others.")).toBeInTheDocument();
  });
});
