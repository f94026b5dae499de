import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { explainPermissions, rightsOver } from "../../../../contract/admin.ts";
import { listKeys } from "../../../../contract/admin-keys.ts";
import { listMcpServers } from "../../../../contract/mcp.ts";
import { search } from "../../../../contract/search.ts";
import { anAdminPerson, anApiKey, grace, withAdmin } from "../../../../testing/admin.ts";
import { anMcpServer } from "../../../../testing/builders.ts";
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
      "Write to it, evaluate itNot allowedThey are Viewer in its team; this takes Operator.",
      "Change it and its criteria, retire itNot allowedThey are Viewer in its team; this takes Editor.",
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
    expect(await (await answer()).findByText("They are Viewer in it.")).toBeInTheDocument();
    expect(router.state.location.search).toEqual({
      ...{ tab: "permissions", user: "user_grace", object: "team", object_id: "team_harbor" },
    });
  });

  it("keeps the focus where a person is chosen, and Escape leaves the choice", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    const { user, router } = renderConsole("/admin?tab=permissions");
    const button = await screen.findByRole("button", { name: "Change person" });
    await user.click(button);
    expect(button).toHaveFocus();
    await user.type(await screen.findByRole("searchbox", { name: "Search people" }), "x{Escape}{Escape}");
    expect(screen.queryByRole("searchbox", { name: "Search people" })).toBeNull();
    expect(button).toHaveFocus();
    await user.click(button);
    await user.click(await screen.findByRole("radio", { name: /Grace Hopper/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ user: "user_grace" }));
    expect(button).toHaveFocus();
  });

  it("is about the person that Enter takes, not about each that the arrow keys pass", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    const { user, router } = renderConsole("/admin?tab=permissions");
    await user.click(await screen.findByRole("button", { name: "Change person" }));
    await user.click(await screen.findByRole("searchbox", { name: "Search people" }));
    await screen.findByRole("radio", { name: /Grace Hopper/ });
    await user.tab();
    expect(screen.getByRole("radio", { name: /Ada Lovelace/ })).toHaveFocus();
    await user.keyboard("{ArrowDown}");
    expect(screen.getByRole("radio", { name: /Grace Hopper/ })).toHaveFocus();
    expect(screen.getByRole("radio", { name: /Grace Hopper/ })).toBeChecked();
    expect(router.state.location.search).not.toHaveProperty("user");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.search).toMatchObject({ user: "user_grace" }));
    expect(screen.getByRole("button", { name: "Change person" })).toHaveFocus();
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

  it("keeps the object that was typed where another person is chosen before it is asked about", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    const { user, router } = renderConsole("/admin?tab=permissions");
    await user.selectOptions(await screen.findByLabelText("Object"), "Team");
    await user.type(screen.getByLabelText("Name or ID"), "team_harbor");
    await user.click(screen.getByRole("button", { name: "Change person" }));
    await user.click(await screen.findByRole("radio", { name: /Grace Hopper/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ user: "user_grace" }));
    expect(screen.getByLabelText("Name or ID")).toHaveValue("team_harbor");
    expect(screen.getByLabelText("Object")).toHaveDisplayValue("Team");
  });

  it("says of an MCP server what they may do by their own connection, and by that of each team", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    service().override(listMcpServers, {
      servers: [
        anMcpServer({ server_id: "harbor", name: "Harbor tools" }),
        anMcpServer({ server_id: "dock", name: "Dock" }),
      ],
    });
    const everyones = { allowed: true, rule: "everyone" as const, role: null, needs: null, team_id: null };
    const ofTeam = {
      allowed: false,
      rule: "team_role" as const,
      role: "viewer" as const,
      team_id: "team_harbor",
    };
    service().override(explainPermissions, {
      answers: [
        ...rightsOver.mcp_server.map((right) => ({ right, ...everyones })),
        { right: "operate", ...ofTeam, needs: "operator" },
        { right: "edit", ...ofTeam, needs: "editor" },
      ],
    });
    const { user, router } = renderConsole("/admin?tab=permissions");
    await user.selectOptions(await screen.findByLabelText("Object"), "MCP server");
    await user.type(screen.getByLabelText("Name or ID"), "TOOLS");
    await user.click(await screen.findByRole("button", { name: "Harbor tools" }));
    expect(router.state.location.search).toMatchObject({ object: "mcp_server", object_id: "harbor" });
    const region = await answer();
    expect(await region.findByRole("heading", { name: "With their own connection" })).toBeInTheDocument();
    expect(await region.findByRole("link", { name: "Harbor" })).toBeInTheDocument();
    expect(region.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "See it and its toolsAllowedIt is for everyone here.",
      "Try its toolsAllowedIt is for everyone here.",
      "Sign in to it, disconnect it, approve changed toolsAllowedIt is for everyone here.",
      "Try its toolsNot allowedThey are Viewer in this team; this takes Operator.",
      "Sign in to it, disconnect it, approve changed toolsNot allowedThey are Viewer in this team; this takes Editor.",
    ]);
  });

  it("finds a key by a part of its name on a later page of its list", async () => {
    withAdmin(service(), { people: [anAdminPerson(), viewer()] });
    service().override(listKeys, ({ query }) =>
      query.cursor === undefined
        ? { keys: [anApiKey({ id: "key_1", name: "Laptop" })], next_cursor: "next" }
        : { keys: [anApiKey({ id: "key_2", name: "Nightly job" })], next_cursor: null },
    );
    const { user, router } = renderConsole("/admin?tab=permissions");
    await user.selectOptions(await screen.findByLabelText("Object"), "API key");
    await user.type(screen.getByLabelText("Name or ID"), "night");
    await user.click(await screen.findByRole("button", { name: /Nightly job/ }));
    expect(router.state.location.search).toMatchObject({ object: "key", object_id: "key_2" });
    expect(screen.queryByRole("button", { name: /Laptop/ })).toBeNull();
    const rows = await (await answer()).findAllByRole("listitem");
    expect(rows.map(({ textContent }) => textContent)).toHaveLength(1);
  });

  it("says that there is no such object, and asks for others only as an admin", async () => {
    withAdmin(service(), { role: "member" });
    renderConsole("/admin?tab=permissions&object=team&object_id=team_gone");
    expect(await screen.findByText("Team or person not found")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Change person" })).toBeNull();
    expect(screen.getByText("Only admins of the installation can ask about others.")).toBeInTheDocument();
  });
});
