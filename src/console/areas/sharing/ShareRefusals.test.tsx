import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getArtifactAccess, updateArtifactAccess } from "../../../contract/access.ts";
import { keepAccess, someAccess } from "../../../testing/access.ts";
import { anyJson } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { shareDialogOn } from "../../../testing/share-dialog.tsx";

const service = mockServicePerTest(() => ({
  state: {
    teams: [
      { id: "team_harbor", name: "Harbor" },
      { id: "team_annex", name: "Annex" },
    ],
  },
}));
const { open, openOn, openWithMary, loseAnswer, field, sentence, apply, add, changes } =
  shareDialogOn(service);
const mary = { email: "mary@example.com", name: "Mary", role: "viewer" };
const withMary = someAccess({ people: [...someAccess().people, mary] });

describe("a password that is typed while another way in is looked at", () => {
  async function typePassword() {
    const opened = await openOn();
    await opened.user.click(screen.getByRole("radio", { name: /password/i }));
    await opened.user.type(screen.getByLabelText("Password"), "correct horse battery");
    return opened;
  }

  it.each(["Off", "Anyone"])("C-23: outlasts what someone else changed meanwhile: %s", async (mode) => {
    const { user, settings } = await typePassword();
    await user.click(screen.getByRole("radio", { name: mode }));
    await add(user, "alan@example.com");
    settings.art_rates = withMary;
    await user.click(apply());
    await screen.findByText("Someone else changed this in the meantime");
    expect(screen.getByRole("radio", { name: mode })).toBeChecked();
    await user.click(screen.getByRole("radio", { name: /password/i }));
    expect(screen.getByLabelText("Password")).toHaveValue("correct horse battery");
  });

  it("sets no password on a link that someone else gave one meanwhile", async () => {
    const { user, settings } = await typePassword();
    await user.click(screen.getByRole("radio", { name: "Off" }));
    await add(user, "alan@example.com");
    settings.art_rates = someAccess({ link: "password", link_role: "viewer", password_protected: true });
    await user.click(apply());
    await screen.findByText("Someone else changed this in the meantime");
    expect(apply()).toHaveTextContent("Apply 1 change");
  });

  it("is not left without a word", async () => {
    const { user, isClosed } = await typePassword();
    await user.click(screen.getByRole("radio", { name: "Off" }));
    await user.keyboard("{Escape}");
    expect(screen.getByText("Your changes are not applied yet.")).toBeInTheDocument();
    expect(isClosed()).toBe(false);
  });
});

describe("a refusal", () => {
  it("400 stands at the line that it is about, and everything typed stays", async () => {
    const { user } = await openWithMary();
    await add(user, "alan@example.com");
    service().override(
      updateArtifactAccess,
      new Refusal("invalid_access_change", {
        message: "share.1.email is no e-mail address.",
        param: "share.1.email",
      }),
    );
    await user.click(apply());
    await screen.findByText("Nothing was changed");
    const row = screen.getByText("alan@example.com").closest("li");
    expect(row).toHaveTextContent("share.1.email is no e-mail address. Nothing was changed.");
    expect(screen.getByText("mary@example.com").closest("li")).not.toHaveTextContent("is no e-mail");
    expect(apply()).toHaveAccessibleName("Apply 2 changes");
  });

  it("403 switches the controls off and says whom to ask", async () => {
    const { user } = await openWithMary();
    service().override(
      updateArtifactAccess,
      new Refusal("forbidden", { message: "You cannot manage this." }),
    );
    await user.click(apply());
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(/You cannot manage this\..*Nothing was changed: your role can view this/);
    expect(alert).toHaveTextContent("Ask the owner or an editor.");
    expect(field()).toHaveAttribute("aria-disabled", "true");
    expect(screen.getByText("mary@example.com")).toBeInTheDocument();
  });

  it("403 takes the keyboard from no control that it switches off, and none of them changes any more", async () => {
    const { user } = await openWithMary();
    const role = screen.getByRole("combobox", { name: "Role of everyone in the organisation" });
    const refuse = service().holdBack(updateArtifactAccess, new Refusal("forbidden"));
    await user.click(apply());
    role.focus();
    refuse();
    await screen.findByRole("alert");
    expect(role).toHaveFocus();
    const controls = within(screen.getByRole("dialog"));
    for (const kind of ["combobox", "radio", "textbox"])
      for (const one of controls.queryAllByRole(kind)) expect(one).toBeEnabled();
    await user.selectOptions(role, "viewer");
    await user.click(screen.getByRole("radio", { name: "Anyone" }));
    await user.click(field());
    await user.paste("alan@example.com, kay@example.com");
    await user.keyboard("x{Enter}");
    expect(apply()).toHaveTextContent("Apply 1 change");
    expect(screen.queryByText("alan@example.com")).toBeNull();
  });

  it("403 for a team that one is not in stands at that team, and the rest can go on", async () => {
    const { user } = await openOn();
    await add(user, "team_annex");
    service().override(
      updateArtifactAccess,
      new Refusal("forbidden", { message: "You are not a member of this team.", param: "share.0.team_id" }),
      { times: 1 },
    );
    await user.click(apply());
    await screen.findByText(/You are not a member of this team/);
    expect(field()).not.toHaveAttribute("aria-disabled");
  });

  it.each([
    ["version_conflict", "The artifact is being moved."],
    ["too_many_requests", "Slow down."],
  ] as const)("of any kind says once what became of the change: %s", async (code, message) => {
    const { user } = await openOn();
    await add(user, "mary@example.com");
    service().override(updateArtifactAccess, new Refusal(code, { message }));
    await user.click(apply());
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(message);
    expect(alert).toHaveTextContent("Nothing was changed.");
    expect(alert).not.toHaveTextContent(/saved|may or may not/);
  });

  it("of an undo is said beside what was changed, and the undo can be tried again", async () => {
    const { user } = await openWithMary();
    await user.click(apply());
    const undo = await screen.findByRole("button", { name: "Undo" });
    service().override(updateArtifactAccess, new Refusal("internal"), { times: 1 });
    await user.click(undo);
    await screen.findByText("The changes may not have been undone");
    await user.click(undo);
    await screen.findByRole("dialog", { name: /^Undone:/ });
    expect(screen.queryByText("The changes may not have been undone")).toBeNull();
  });

  it("C-22 404 while the dialog is open says that it is gone", async () => {
    const { user } = await openWithMary();
    service().override(
      getArtifactAccess,
      new Refusal("not_found", { message: "There is no such artifact." }),
    );
    await user.click(apply());
    expect(await screen.findByRole("alert")).toHaveTextContent(
      /There is no such artifact\..*It was deleted, or you no longer have access\./,
    );
    expect(changes()).toEqual([]);
  });

  it("C-21 401 asks for the key elsewhere, and keeps what was typed", async () => {
    const { user } = await openWithMary();
    service().override(getArtifactAccess, new Refusal("invalid_credentials"));
    await user.click(apply());
    await waitFor(() => expect(service().seen(getArtifactAccess).length).toBe(2));
    expect(screen.getByText("mary@example.com")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("without an answer says that it is not known, and applying again sends nothing twice", async () => {
    const { user, settings } = await openWithMary();
    loseAnswer(settings, withMary);
    await user.click(apply());
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "The change may or may not have been applied.",
    );
    await user.click(apply());
    await screen.findByText("mary@example.com added as viewer");
    expect(screen.getByText("Who has access now")).toBeInTheDocument();
    expect(changes()).toHaveLength(1);
  });

  it("without an answer takes for the own what was sent, whatever is added to it before it is applied again", async () => {
    const { user, settings } = await openWithMary();
    loseAnswer(settings, withMary);
    await user.click(apply());
    await screen.findByRole("alert");
    await add(user, "alan@example.com");
    await user.click(apply());
    await screen.findByText(/alan@example\.com added as viewer/);
    expect(screen.queryByText("Someone else changed this in the meantime")).toBeNull();
    await screen.findByRole("dialog", { name: /^Shared:/ });
    expect(changes()).toHaveLength(2);
  });

  it("of an undo without an answer is undone, and no one else is said to have changed it", async () => {
    const { user, settings } = await openWithMary();
    await user.click(apply());
    const undo = await screen.findByRole("button", { name: "Undo" });
    loseAnswer(settings, someAccess());
    await user.click(undo);
    await screen.findByText("The changes may not have been undone");
    await user.click(undo);
    await screen.findByRole("dialog", { name: /^Undone:/ });
    expect(screen.queryByText(/was changed by someone else/)).toBeNull();
  });

  it("when it is first read can be tried again", async () => {
    keepAccess(service(), { art_rates: someAccess() });
    service().override(getArtifactAccess, new Refusal("unavailable"), { times: 1 });
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "Retry" }));
    await screen.findByText("Ada Sample", { selector: "strong bdi" });
  });
});

describe("another service", () => {
  it("without the public read is read by a change that changes nothing", async () => {
    service().override(getArtifactAccess, anyJson({ message: "Not Found" }, 404));
    service().override(updateArtifactAccess, { access: someAccess(), notified: [] });
    open({ known: { named: null, tried: {} } });
    await screen.findByText("Ada Sample", { selector: "strong bdi" });
    expect(changes()).toEqual([{}]);
  });

  it("C-01 with broken settings shows what can be read, and says what cannot", async () => {
    service().override(getArtifactAccess, anyJson({ access: { people: "all", teams: [], link: "none" } }));
    open();
    await screen.findByText("One value has an unexpected format");
    expect(sentence()).toHaveTextContent("Unknown: which people can open it.");
  });
});
