import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listPeople } from "../../../../contract/admin-people.ts";
import {
  listTeamMembers,
  removeTeamMember,
  setTeamMember,
  updateTeam,
} from "../../../../contract/admin-teams.ts";
import { anAdminPerson, anAdminTeam, grace, withAdmin } from "../../../../testing/admin.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const panel = async () => within(await screen.findByRole("region", { name: "The selected team" }));
const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));
const member = {
  user: { id: "user_grace", first_name: "Grace", last_name: "Hopper", email: "grace@example.com" },
  by_groups: false,
  role: "editor",
  state: "active",
} as const;

/** Opens the form of a new team. */
async function newTeam() {
  const { user } = renderConsole("/admin?tab=teams");
  await user.click(await screen.findByRole("button", { name: "New team" }));
  return { user, form: await dialog("New team") };
}

/** Opens the form of the team Harbor. `renameElsewhere`: someone else calls it Docks meanwhile, which the page then shows. */
async function editHarbor() {
  const { user, wheelhouse } = renderConsole("/admin?tab=teams&id=team_harbor");
  await user.click(await (await panel()).findByRole("button", { name: "Edit" }));
  const renameElsewhere = async (has: ReturnType<typeof withAdmin>) => {
    has.teams = [anAdminTeam({ name: "Docks", version: 3 })];
    await wheelhouse.queries.invalidateQueries();
    return dialog("Edit Docks");
  };
  return { user, form: await dialog("Edit Harbor"), renameElsewhere };
}

describe("teams", () => {
  it("makes a team, adds a person, changes their role and takes them out", async () => {
    const has = withAdmin(service());
    const { user, form } = await newTeam();
    await user.type(form.getByRole("textbox", { name: "Name" }), "Pier{Enter}");
    expect(await (await panel()).findByRole("heading", { name: "Pier" })).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("link", { name: "Pier" })).toHaveFocus());

    await user.click(await (await panel()).findByRole("button", { name: "Add" }));
    const adding = await dialog("Add to Pier");
    await user.click(await adding.findByRole("radio", { name: /Grace/ }));
    await user.selectOptions(adding.getByRole("combobox", { name: "Role" }), "Viewer");
    await user.click(adding.getByRole("button", { name: "Add" }));
    const role = await (await panel()).findByRole("combobox", { name: "Role of Grace Hopper" });
    expect(role).toHaveValue("viewer");
    expect(service().seen(setTeamMember)[0]?.url.pathname).toMatch(/team_new\/members\/user_grace$/);
    await user.selectOptions(role, "Operator");
    await waitFor(() => expect(has.members[0]?.role).toBe("operator"));

    await user.click((await panel()).getByRole("button", { name: "Remove Grace Hopper" }));
    await user.click(
      (await dialog("Remove Grace Hopper from Pier?")).getByRole("button", { name: "Remove" }),
    );
    await waitFor(() => expect(service().seen(removeTeamMember)).toHaveLength(1));
    await (await panel()).findByText("No one");
  });

  it("renames a team, retires it and finds it again among the retired", async () => {
    withAdmin(service());
    const { user, form } = await editHarbor();
    await user.clear(form.getByRole("textbox", { name: "Name" }));
    await user.type(form.getByRole("textbox", { name: "Name" }), "Docks{Enter}");
    await (await panel()).findByRole("heading", { name: "Docks" });
    expect(service().seen(updateTeam)[0]?.body).toEqual({ name: "Docks", version: 2 });
    await user.click((await panel()).getByRole("button", { name: "Retire…" }));
    await user.click((await dialog("Retire Docks?")).getByRole("button", { name: "Retire team" }));
    await (await panel()).findByText("Retired");
    await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Retired");
    await screen.findByRole("link", { name: "Docks" });
    await user.click((await panel()).getByRole("button", { name: "Restore" }));
    await waitFor(() =>
      expect(service().seen(updateTeam).at(-1)?.body).toEqual({ retired: false, version: 4 }),
    );
  });

  it("asks before the name of a new team that was typed is thrown away", async () => {
    withAdmin(service());
    const { user, form } = await newTeam();
    await user.type(form.getByRole("textbox", { name: "Name" }), "Pier{Escape}");
    expect(form.getByText("What you typed is not saved.")).toBeInTheDocument();
    await user.click(form.getByRole("button", { name: "Keep editing" }));
    expect(form.getByRole("textbox", { name: "Name" })).toHaveValue("Pier");
  });

  it("C-23: saves what was changed here, and leaves the name that someone else gave the team meanwhile", async () => {
    const has = withAdmin(service());
    const { user, form, renameElsewhere } = await editHarbor();
    await user.selectOptions(form.getByRole("combobox", { name: "Plan" }), "Enterprise");
    const renamed = await renameElsewhere(has);
    await user.click(renamed.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(service().seen(updateTeam)).toHaveLength(1));
    expect(service().seen(updateTeam)[0]?.body).toEqual({ plan: "enterprise", version: 3 });
  });

  it("C-23: asks before it saves over a name that someone else gave meanwhile, also where the page shows it already", async () => {
    const has = withAdmin(service());
    const { user, form, renameElsewhere } = await editHarbor();
    await user.type(form.getByRole("textbox", { name: "Name" }), " East");
    const renamed = await renameElsewhere(has);
    await user.click(renamed.getByRole("button", { name: "Save" }));
    await renamed.findByText("Someone else changed this team meanwhile: check, then save again");
    expect(has.teams[0]?.name).toBe("Docks");
    await user.click(renamed.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(has.teams[0]?.name).toBe("Harbor East"));
  });

  it("says that there are more people where all that were read are in the team already", async () => {
    withAdmin(service(), { members: [member] });
    service().override(listPeople, ({ query }) =>
      query.search === undefined
        ? { people: [grace()], next_cursor: "more" }
        : { people: [anAdminPerson({ teams: [] })], next_cursor: null },
    );
    const { user } = renderConsole("/admin?tab=teams&id=team_harbor");
    await (await panel()).findByText("Grace Hopper");
    await user.click(await (await panel()).findByRole("button", { name: "Add" }));
    const adding = await dialog("Add to Harbor");
    await adding.findByText("Search to find others.");
    expect(adding.queryByText("No one matches.")).toBeNull();
    await user.type(adding.getByRole("searchbox", { name: "Search people" }), "Ada");
    await adding.findByRole("radio", { name: /Ada/ });
  });

  it("C-43: offers to add no one whose membership was not read yet: it would change their role", async () => {
    const teams = [{ id: "team_harbor", name: "Harbor", role: "admin", by_groups: false }] as const;
    withAdmin(service(), {
      people: [grace({ teams: [...teams] }), grace({ id: "user_alan", first_name: "Alan" })],
    });
    service().override(listTeamMembers, { members: [], next_cursor: "more" });
    const { user } = renderConsole("/admin?tab=teams&id=team_harbor");
    await user.click(await (await panel()).findByRole("button", { name: "Add" }));
    const adding = await dialog("Add to Harbor");
    await adding.findByRole("radio", { name: /Alan/ });
    expect(adding.queryByRole("radio", { name: /Grace/ })).toBeNull();
  });

  it("shows a team of the workspace's file with its members, and says where they are changed", async () => {
    withAdmin(service(), {
      teams: [anAdminTeam({ managed: ["name", "plan", "members", "retired"] })],
      members: [member],
    });
    renderConsole("/admin?tab=teams&id=team_harbor");
    expect(await (await panel()).findByText("Grace Hopper")).toBeInTheDocument();
    expect((await panel()).getByText("Editor")).toBeInTheDocument();
    expect((await panel()).queryByRole("combobox")).toBeNull();
    expect((await panel()).queryByRole("button", { name: "Add" })).toBeNull();
    (await panel()).getByText(/Add people and change their roles in wheelhouse.yaml/);
    for (const name of ["Edit", "Retire…"])
      expect((await panel()).getByRole("button", { name })).toHaveAccessibleDescription(
        /Set in wheelhouse.yaml/,
      );
  });

  it("offers a member the list of who is in it and what their role may, and no way to change it", async () => {
    withAdmin(service(), {
      role: "member",
      inHarbor: "viewer",
      teams: [anAdminTeam({ role: "viewer", rights: ["see"] })],
      members: [member],
    });
    renderConsole("/admin?tab=teams&id=team_harbor");
    await (await panel()).findByText("Grace Hopper");
    (await panel()).getByText(/As viewer: Sees what the team has/);
    (await panel()).getByText(/Only admins of the team can change/);
    for (const name of ["Edit", "Retire…", "Add"])
      expect((await panel()).queryByRole("button", { name })).toBeNull();
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "New team" })).toHaveAccessibleDescription(/Only admins/),
    );
  });

  it("says what the service refuses, and keeps the role as it was", async () => {
    withAdmin(service(), { members: [member] });
    service().override(setTeamMember, new Refusal("managed_by_file"));
    const { user } = renderConsole("/admin?tab=teams&id=team_harbor");
    const role = await (await panel()).findByRole("combobox", { name: "Role of Grace Hopper" });
    await user.selectOptions(role, "Admin");
    await (await panel()).findByText("The role was not changed");
    expect(role).toHaveValue("editor");
  });

  it("says at each member whose role was not changed, also where another's is changed meanwhile", async () => {
    const alan = {
      ...member,
      user: { ...member.user, id: "user_alan", first_name: "Alan", last_name: "Turing" },
    };
    withAdmin(service(), { members: [member, alan] });
    const answer = service().holdBack(setTeamMember, ({ params, body }) =>
      params.user_id === "user_grace"
        ? new Refusal("managed_by_provider")
        : { member: { ...alan, role: body.role } },
    );
    const { user } = renderConsole("/admin?tab=teams&id=team_harbor");
    const graces = await (await panel()).findByRole("combobox", { name: "Role of Grace Hopper" });
    await user.selectOptions(graces, "Admin");
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of Alan Turing" }), "Viewer");
    expect(graces).toHaveAttribute("aria-busy", "true");
    answer();
    const row = within(
      screen.getByRole("combobox", { name: "Role of Grace Hopper" }).closest("li") ?? document.body,
    );
    await row.findByText("The role was not changed");
    await waitFor(() =>
      expect(screen.getByRole("combobox", { name: "Role of Alan Turing" })).toHaveAttribute(
        "aria-busy",
        "false",
      ),
    );
    expect(screen.getAllByText("The role was not changed")).toHaveLength(1);
  });

  it("says that one is in no team, and that a team is not there", async () => {
    withAdmin(service(), { role: "member", inHarbor: null, teams: [] });
    renderConsole("/admin?tab=teams&id=team_gone");
    await screen.findByText("You are in no team");
    await screen.findByText("Team not found, or you have no access");
  });
});
