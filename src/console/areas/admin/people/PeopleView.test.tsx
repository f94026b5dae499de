import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  handOver,
  invitePerson,
  listPeople,
  renewInvitation,
  updatePerson,
} from "../../../../contract/admin-people.ts";
import { listAdminTeams } from "../../../../contract/admin-teams.ts";
import { anAdminPerson, anAdminTeam, grace, withAdmin } from "../../../../testing/admin.ts";
import { anyJson, never } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { onPhone } from "../../../../testing/on-phone.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const panel = async () => within(await screen.findByRole("region", { name: "The selected person" }));
const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));

/** An admin's page of people, with the form of an invitation open. */
async function inviting() {
  const { user } = renderConsole("/admin");
  await user.click(await screen.findByRole("button", { name: "Invite" }));
  const form = await dialog("Invite a person");
  const enter = async (email: string, firstName: string, lastName: string) => {
    await user.type(form.getByRole("textbox", { name: "E-mail" }), email);
    await user.type(form.getByRole("textbox", { name: "First name" }), firstName);
    await user.type(form.getByRole("textbox", { name: "Last name" }), lastName);
  };
  return { user, form, enter };
}

/** Grace's page, where this button of her panel was pressed. */
async function pressedForGrace(name: string) {
  const page = renderConsole("/admin?tab=people&id=user_grace");
  await page.user.click(await (await panel()).findByRole("button", { name }));
  return page;
}

describe("people", () => {
  it("lists them with state and role, leads through them by j and k, and keeps the chosen one in the address", async () => {
    withAdmin(service(), { people: [anAdminPerson(), grace({ state: "invited" })] });
    const { user, router } = renderConsole("/admin");
    const table = within(await screen.findByRole("table", { name: "People" }));
    const row = within(await table.findByRole("row", { name: /Grace Hopper/ }));
    expect(row.getByText("Invited")).toBeInTheDocument();
    expect(row.getByText("Member")).toBeInTheDocument();
    await user.keyboard("j");
    await waitFor(() => expect(router.state.location.search).toEqual({ id: "user_ada" }));
    await user.keyboard("j");
    expect(await (await panel()).findByRole("heading", { name: "Grace Hopper" })).toBeInTheDocument();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it("searches by the service, and says that no one matches", async () => {
    withAdmin(service());
    const { user } = renderConsole("/admin");
    await user.type(await screen.findByRole("searchbox", { name: "Search people" }), "nobody");
    await screen.findByText("No matching people");
    expect(service().seen(listPeople).at(-1)?.url.searchParams.get("search")).toBe("nobody");
    await user.click(screen.getByRole("button", { name: "Show all people" }));
    await screen.findByRole("link", { name: "Grace Hopper" });
  });

  it("invites a person with a role in a team, and shows the link once", async () => {
    withAdmin(service(), {
      teams: [anAdminTeam(), anAdminTeam({ id: "team_file", name: "Filed", managed: ["members"] })],
    });
    const { user, form, enter } = await inviting();
    await user.click(form.getByRole("button", { name: "Create invitation" }));
    expect(await form.findByText("Enter an e-mail address.")).toBeInTheDocument();
    await enter("kay@example.com", "Kay", "McNulty");
    expect(form.queryByRole("option", { name: "Filed" })).toBeNull();
    await user.selectOptions(form.getByRole("combobox", { name: "Team" }), "Harbor");
    await user.selectOptions(form.getByRole("combobox", { name: "Role in the team" }), "Operator");
    await user.click(form.getByRole("button", { name: "Create invitation" }));
    const shown = await dialog("Sign-in link for Kay McNulty");
    expect(shown.getByText("http://localhost:3000/#sign-in=secret_once")).toBeInTheDocument();
    expect(service().seen(invitePerson)[0]?.body).toEqual({
      ...{ email: "kay@example.com", first_name: "Kay", last_name: "McNulty", plan: "pro", role: "member" },
      teams: [{ id: "team_harbor", role: "operator" }],
    });
    // Nothing but the button closes it: the link is nowhere else.
    await user.keyboard("{Escape}");
    await user.click(shown.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByText(/secret_once/)).toBeNull());
    expect(await (await panel()).findByText("Invited")).toBeInTheDocument();
  });

  it("gives the focus to whoever was invited, once the link was read", async () => {
    withAdmin(service());
    const { user, enter } = await inviting();
    await enter("edith@harbor.example", "Edith", "Clarke");
    await user.keyboard("{Enter}");
    await user.click((await dialog(/^Sign-in link/)).getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.getByRole("link", { name: "Edith Clarke" })).toHaveFocus());
  });

  it("offers the teams of all pages to whoever invites, and says where they could not be read", async () => {
    withAdmin(service());
    service().override(listAdminTeams, new Refusal("internal"));
    const { user, form: refused } = await inviting();
    const words = "The teams could not be loaded.";
    await waitFor(() =>
      expect(refused.getByRole("combobox", { name: "Team" })).toHaveAccessibleDescription(words),
    );
    await user.keyboard("{Escape}");
    service().override(listAdminTeams, ({ query }) =>
      query.cursor === undefined
        ? { teams: [anAdminTeam()], next_cursor: "next" }
        : { teams: [anAdminTeam({ id: "team_pier", name: "Pier" })], next_cursor: null },
    );
    await user.click(screen.getByRole("button", { name: "Invite" }));
    const form = await dialog("Invite a person");
    await form.findByRole("option", { name: "Pier" });
    expect(form.getByRole("option", { name: "Harbor" })).toBeInTheDocument();
  });

  it("C-44: shows the link also to whoever pressed Escape while the person was invited", async () => {
    withAdmin(service());
    const answer = service().holdBack(invitePerson, {
      person: grace({ id: "user_kay", state: "invited" }),
      invitation: { url: "http://x/#sign-in=secret_once", expires_at: "2026-11-27T08:16:04.123Z" },
    });
    const { user, enter } = await inviting();
    await enter("kay@example.com", "Kay", "McNulty{Enter}");
    await waitFor(() => expect(service().seen(invitePerson)).toHaveLength(1));
    await user.keyboard("{Escape}");
    answer();
    await screen.findByText("http://x/#sign-in=secret_once");
  });

  it("C-38: invites a person once, however often Enter is pressed, and shows the link", async () => {
    const has = withAdmin(service());
    const answer = service().holdBack(invitePerson, () => {
      if (has.people.some(({ id }) => id === "user_kay"))
        return new Refusal("email_taken", { param: "email" });
      const person = grace({ id: "user_kay", state: "invited" });
      has.people.push(person);
      const invitation = { url: "http://x/#sign-in=once", expires_at: "2026-11-27T08:16:04.123Z" };
      return { person, invitation };
    });
    const { user, enter } = await inviting();
    await enter("kay@example.com", "Kay", "McNulty{Enter}");
    await waitFor(() => expect(service().seen(invitePerson)).toHaveLength(1));
    await user.keyboard("{Enter}");
    answer();
    await screen.findByText("http://x/#sign-in=once");
    expect(service().seen(invitePerson)).toHaveLength(1);
  });

  it("C-46: asks before Escape throws away who was to be invited", async () => {
    withAdmin(service());
    const { user, form, enter } = await inviting();
    await enter("kay@example.com", "Kay", "McNulty{Escape}");
    expect(await form.findByRole("alert")).toHaveTextContent("What you typed is not saved.");
    await user.click(form.getByRole("button", { name: "Keep editing" }));
    expect(form.getByRole("textbox", { name: "Last name" })).toHaveValue("McNulty");
    await user.keyboard("{Escape}");
    await user.click(await form.findByRole("button", { name: "Discard" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByRole("button", { name: "Invite" })).toHaveFocus();
  });

  it("C-46: asks before Escape throws away what was changed of a person", async () => {
    withAdmin(service());
    const { user } = await pressedForGrace("Edit");
    const form = await dialog("Edit Grace Hopper");
    await user.type(form.getByRole("textbox", { name: "Last name" }), "-Murray{Escape}");
    await user.click(await form.findByRole("button", { name: "Keep editing" }));
    await user.type(form.getByRole("textbox", { name: "Last name" }), "{Enter}");
    await waitFor(() =>
      expect(service().seen(updatePerson)[0]?.body).toMatchObject({ last_name: "Hopper-Murray" }),
    );
  });

  it("puts a refused address to its field", async () => {
    withAdmin(service());
    service().override(invitePerson, new Refusal("email_taken", { param: "email" }));
    const { form, enter } = await inviting();
    await enter("ada@example.com", "Ada", "Two{Enter}");
    await waitFor(() =>
      expect(form.getByRole("textbox", { name: "E-mail" })).toHaveAccessibleDescription(
        "Someone else has this e-mail address.",
      ),
    );
  });

  it("marks what the workspace's file sets, and does not let it be edited", async () => {
    withAdmin(service(), {
      people: [anAdminPerson({ managed: ["email", "first_name", "last_name", "plan"] })],
    });
    const { user } = renderConsole("/admin?tab=people&id=user_ada");
    expect(
      await (await panel()).findByText(/are set in wheelhouse.yaml. Change them there/),
    ).toBeInTheDocument();
    await user.click((await panel()).getByRole("button", { name: "Edit" }));
    const form = await dialog("Edit Ada Lovelace");
    expect(form.getByRole("textbox", { name: "E-mail" })).toHaveAttribute("readonly");
    expect(form.getByRole("textbox", { name: "Plan" })).toHaveAccessibleDescription(/Set in wheelhouse.yaml/);
    await user.selectOptions(form.getByRole("combobox", { name: "Role" }), "Member");
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(service().seen(updatePerson)[0]?.body).toEqual({ role: "member", version: 3 }),
    );
  });

  it("keeps what was typed where someone else was first, and saves it over theirs on demand", async () => {
    const has = withAdmin(service());
    const { user } = await pressedForGrace("Edit");
    const form = await dialog("Edit Grace Hopper");
    Object.assign(has.people[1] ?? {}, { version: 8, plan: "enterprise" });
    await user.clear(form.getByRole("textbox", { name: "First name" }));
    await user.type(form.getByRole("textbox", { name: "First name" }), "Gracie");
    await user.click(form.getByRole("button", { name: "Save" }));
    await form.findByText("Someone else changed this person meanwhile");
    await waitFor(async () => {
      await user.click(form.getByRole("button", { name: "Save" }));
      expect(has.people[1]).toMatchObject({ first_name: "Gracie", plan: "enterprise" });
    });
  });

  it("C-23: asks before it saves over a name that someone else gave meanwhile, also where the page shows it already", async () => {
    const has = withAdmin(service());
    const { user, wheelhouse } = await pressedForGrace("Edit");
    const form = await dialog("Edit Grace Hopper");
    await user.type(form.getByRole("textbox", { name: "Last name" }), "-Murray");
    has.people = [anAdminPerson(), grace({ last_name: "Ropper", version: 8 })];
    await wheelhouse.queries.invalidateQueries();
    const renamed = await dialog("Edit Grace Ropper");
    await user.click(renamed.getByRole("button", { name: "Save" }));
    await renamed.findByText("Someone else changed this person meanwhile");
    expect(has.people[1]?.last_name).toBe("Ropper");
    // What is typed then is no new question.
    await user.type(renamed.getByRole("textbox", { name: "First name" }), "!");
    await user.click(renamed.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(has.people[1]?.last_name).toBe("Hopper-Murray"));
  });

  it("says that someone was not saved also to whoever pressed Escape while they were", async () => {
    withAdmin(service());
    const answer = service().holdBack(updatePerson, new Refusal("internal"));
    const { user } = await pressedForGrace("Edit");
    const form = await dialog("Edit Grace Hopper");
    await user.type(form.getByRole("textbox", { name: "Last name" }), "-Murray{Enter}");
    await waitFor(() => expect(service().seen(updatePerson)).toHaveLength(1));
    await user.keyboard("{Escape}");
    answer();
    await screen.findByText("The person was not saved");
    expect(form.getByRole("textbox", { name: "Last name" })).toHaveValue("Hopper-Murray");
  });

  it("says what stops before it deactivates, and hands over first what they own", async () => {
    const has = withAdmin(service());
    service().override(handOver, { moved: [{ kind: "agents", count: 3 }] });
    const { user } = await pressedForGrace("Deactivate…");
    const question = await dialog("Deactivate Grace Hopper?");
    await user.click(await question.findByRole("checkbox", { name: /Hand it over/ }));
    expect(question.getByText(/They alone own 3 agents/)).toBeInTheDocument();
    expect(question.queryByRole("radio", { name: /Grace/ })).toBeNull();
    await user.click(await question.findByRole("radio", { name: /Ada/ }));
    await user.click(question.getByRole("button", { name: "Deactivate" }));
    await waitFor(() => expect(has.people[1]?.state).toBe("deactivated"));
    expect(service().seen(handOver)[0]?.body).toEqual({ to: "user_ada" });
    expect(service().seen(updatePerson)[0]?.body).toEqual({ active: false, version: 7 });
    await user.click(await (await panel()).findByRole("button", { name: "Reactivate" }));
    await waitFor(() => expect(has.people[1]?.state).toBe("active"));
  });

  it("deactivates no one where nothing was handed over, and says which of both failed", async () => {
    withAdmin(service());
    service().override(handOver, new Refusal("person_inactive", { param: "to" }));
    const { user } = await pressedForGrace("Deactivate…");
    const question = await dialog("Deactivate Grace Hopper?");
    await user.click(await question.findByRole("checkbox", { name: /Hand it over/ }));
    await user.click(await question.findByRole("radio", { name: /Ada/ }));
    await user.click(question.getByRole("button", { name: "Deactivate" }));
    await question.findByText("Nothing was handed over, and no one deactivated");
    expect(service().seen(updatePerson)).toHaveLength(0);
  });

  it("says that someone was not deactivated also to whoever cancelled while it was on its way", async () => {
    withAdmin(service());
    const answer = service().holdBack(updatePerson, new Refusal("internal"));
    const { user } = await pressedForGrace("Deactivate…");
    const question = await dialog("Deactivate Grace Hopper?");
    await user.click(question.getByRole("button", { name: "Deactivate" }));
    await waitFor(() => expect(service().seen(updatePerson)).toHaveLength(1));
    await user.click(question.getByRole("button", { name: "Cancel" }));
    answer();
    await screen.findByText("Grace Hopper was not deactivated");
  });

  it("says what failed last where a sign-in link was refused and someone not reactivated", async () => {
    const has = withAdmin(service());
    service().override(renewInvitation, new Refusal("internal"));
    service().override(updatePerson, new Refusal("internal"));
    const { user, wheelhouse } = await pressedForGrace("New sign-in link");
    await (await panel()).findByText("No link was created");
    Object.assign(has.people[1] ?? {}, { state: "deactivated" });
    await wheelhouse.queries.invalidateQueries();
    await user.click(await (await panel()).findByRole("button", { name: "Reactivate" }));
    await (await panel()).findByText("Grace Hopper was not reactivated");
  });

  it("makes a new sign-in link for someone, and says what the service refuses", async () => {
    withAdmin(service());
    service().override(renewInvitation, new Refusal("internal"), { times: 1 });
    service().override(renewInvitation, {
      invitation: { url: "http://x/#sign-in=again", expires_at: "2026-11-27T08:16:04.123Z" },
    });
    await pressedForGrace("New sign-in link");
    expect((await dialog(/Sign-in link for Grace/)).getByText("http://x/#sign-in=again")).toBeInTheDocument();
  });

  it("offers a team's admin what they may, with the reason for the rest, and a member nothing of others", async () => {
    withAdmin(service(), { role: "member" });
    const asTeamAdmin = renderConsole("/admin?tab=people&id=user_grace");
    const invite = await screen.findByRole("button", { name: "Invite" });
    await waitFor(() =>
      expect(invite).toHaveAccessibleDescription("Only admins of the installation can invite people"),
    );
    await (await panel()).findByText(/Only admins of the installation can change people/);
    expect((await panel()).queryByRole("button", { name: "Edit" })).toBeNull();
    asTeamAdmin.unmount();
    withAdmin(service(), { role: "member", inHarbor: "operator" });
    const before = service().seen(listPeople).length;
    const asMember = renderConsole("/admin");
    expect(await screen.findByRole("link", { name: "Teams" })).toHaveAttribute("aria-current", "page");
    expect(screen.queryByRole("link", { name: "People" })).toBeNull();
    expect(service().seen(listPeople)).toHaveLength(before);
    asMember.unmount();
    renderConsole("/admin?tab=people");
    await screen.findByText("Only admins see all people");
  });

  it("shows the list or one person on a narrow screen, with the way back", async () => {
    withAdmin(service());
    await onPhone(async () => {
      const { user, router } = renderConsole("/admin?tab=people&id=user_grace");
      await user.click(await (await panel()).findByRole("button", { name: "Back to people" }));
      await waitFor(() => expect(router.state.location.search).toEqual({ tab: "people" }));
      await screen.findByRole("link", { name: "Ada Lovelace" });
    });
  });

  it("says that a person is not there, that a team's key is no one, and that a service has no administration", async () => {
    withAdmin(service());
    const gone = renderConsole("/admin?tab=people&id=user_gone");
    await screen.findByText("Person not found, or you have no access");
    gone.unmount();
    const asTeam = renderConsole("/admin", {
      as: { credential: { kind: "team", secret: "key", userId: null, teamId: "team_harbor" } },
    });
    await screen.findByText("Administration needs a personal key");
    asTeam.unmount();
    const asked = service().requests.filter(({ url }) => url.pathname.includes("/admin/")).length;
    renderConsole("/admin", { as: { known: { named: ["runs"], tried: {} } } });
    await screen.findByText("This service has no administration");
    expect(service().requests.filter(({ url }) => url.pathname.includes("/admin/"))).toHaveLength(asked);
  });

  it("C-01: lives with nulls and broken rows", async () => {
    withAdmin(service());
    service().override(listPeople, anyJson({ people: [null, { id: "user_bare", state: "napping" }, 7] }));
    renderConsole("/admin");
    await screen.findByRole("link", { name: "user_bare" });
    expect(screen.getByText("napping")).toBeInTheDocument();
  });

  it("has a skeleton while the roles are on their way", async () => {
    withAdmin(service());
    service().override(listPeople, never);
    renderConsole("/admin");
    await screen.findByText("Loading people");
  });
});
