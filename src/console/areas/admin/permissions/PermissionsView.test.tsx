import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { explainPermissions } from "../../../../contract/admin.ts";
import { search } from "../../../../contract/search.ts";
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
    await user.type(screen.getByLabelText("Name or ID"), " team_harbor {Enter}");
    expect(await (await answer()).findByText("They are Viewer in its team.")).toBeInTheDocument();
    expect(router.state.location.search).toEqual({
      ...{ tab: "permissions", user: "user_grace", object: "team", object_id: "team_harbor" },
    });
  });

  it("finds an artifact by a part of its name, and says of it who may open it and who may not", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    const hit = { kind: "artifact" as const, at: "2026-11-20T08:15:04.123Z", agent_id: null, state: null };
    service().override(search, ({ query }) => ({
      hits:
        query.q === "repo" ? [{ ...hit, id: "art_1", name: "report.md", places: [], place_count: 1 }] : [],
      ...{ next_cursor: null, searched_to: null, indexed_until: null },
    }));
    const grant = { rule: "granted" as const, role: null, needs: null, team_id: null };
    service().override(explainPermissions, {
      answers: [
        { right: "see", allowed: true, ...grant },
        { right: "share", allowed: false, ...grant },
        { right: "delete", allowed: false, ...grant, rule: "not_creator" },
      ],
    });
    const { user, router } = renderConsole("/admin?tab=permissions");
    await user.selectOptions(await screen.findByLabelText("Object"), "Artifact");
    await user.type(screen.getByLabelText("Name or ID"), "xyz");
    expect(await screen.findByText(/No artifact that you can see is called so/)).toBeInTheDocument();
    await user.clear(screen.getByLabelText("Name or ID"));
    await user.type(screen.getByLabelText("Name or ID"), "repo");
    await user.click(await screen.findByRole("button", { name: /report\.md/ }));
    expect(router.state.location.search).toMatchObject({ object: "artifact", object_id: "art_1" });
    const rows = await (await answer()).findAllByRole("listitem");
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      "See itAllowedIt was shared with them.",
      "Change who has accessNot allowedThey may only view it; this takes an editor or owner of it.",
      "Delete itNot allowedOnly its creator may.",
    ]);
  });

  it("says that there is no such object, and asks for others only as an admin", async () => {
    withAdmin(service(), { role: "member" });
    renderConsole("/admin?tab=permissions&object=team&object_id=team_gone");
    expect(await screen.findByText("Team or person not found")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Change person" })).toBeNull();
    expect(screen.getByText("Only admins of the installation can ask about others.")).toBeInTheDocument();
  });
});
