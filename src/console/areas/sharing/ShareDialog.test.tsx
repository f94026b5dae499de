import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getArtifactAccess, updateArtifactAccess } from "../../../contract/access.ts";
import { capabilities } from "../../../contract/console.ts";
import { someAccess } from "../../../testing/access.ts";
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
const { openOn, field, sentence, holds, apply, add, changes } = shareDialogOn(service);
const grace = { email: "grace@example.com", name: "Grace Sample", role: "viewer" };
const ada = someAccess().people[0] ?? grace;

describe("people and teams", () => {
  it("can be typed at once where the dialog opened before the access list came", async () => {
    const { user } = await openOn();
    expect(field()).toHaveFocus();
    await user.keyboard("grace@example.com{Enter}");
    expect(screen.getByRole("button", { name: "Remove grace@example.com" })).toBeInTheDocument();
  });

  it("are pasted as a list in any form: read once each, invalid ones named and kept", async () => {
    const { user } = await openOn();
    await user.click(field());
    await user.paste("Mary <mary@example.com>; ALAN@example.com\nalan@example.com, nobody@, team_annex");
    expect(screen.getByText("mary@example.com")).toBeInTheDocument();
    expect(screen.getByText(/is neither an e-mail address nor one of your teams/)).toHaveTextContent(
      /^nobody@ is/,
    );
    expect(field()).toHaveAttribute("aria-invalid", "true");
    await user.click(screen.getByRole("button", { name: "Add" }));
    expect(screen.getByText("Annex").closest("li")).toHaveTextContent("added");
    await holds(/3 people and 1 team have access by name/);
    // What cannot be read stays, and hinders sending until it is dealt with.
    expect(apply()).toHaveAccessibleDescription("Add or remove the addresses above first");
    await user.click(screen.getByRole("button", { name: "Remove nobody@" }));
    await user.click(apply());
    await screen.findByText("Who has access now");
    expect(changes()).toEqual([
      {
        share: [
          { type: "person", email: "mary@example.com", role: "viewer" },
          { type: "person", email: "alan@example.com", role: "viewer" },
          { type: "team", team_id: "team_annex", role: "viewer" },
        ],
      },
    ]);
  });

  it("are found by a team's name with the arrow keys, and added with the chosen role", async () => {
    const { user } = await openOn();
    await user.type(field(), "a{ArrowDown}");
    const teams = within(screen.getByRole("listbox", { name: "Teams" }));
    expect(teams.getByRole("option", { selected: true })).toHaveTextContent("Annex");
    await user.clear(field());
    await user.type(field(), "anne{Enter}");
    await user.selectOptions(screen.getByRole("combobox", { name: "Role for new people" }), "editor");
    await user.click(screen.getByRole("button", { name: "Add" }));
    await holds(/1 person and 1 team have access by name; of these, Ada Sample and Annex can also change/);
  });

  it("are taken away and given back before anything is sent, and the owner cannot be", async () => {
    const { user } = await openOn(someAccess({ people: [ada, grace] }));
    const role = screen.getByRole("combobox", { name: "Role of Grace Sample" });
    expect(screen.queryByRole("combobox", { name: "Role of Ada Sample" })).toBeNull();
    await user.selectOptions(role, "Remove access");
    await holds(/Only the owner, Ada Sample, has access/);
    await user.click(screen.getByRole("button", { name: "Undo the removal of Grace Sample" }));
    await holds(/2 people have access by name/);
    expect(apply()).toHaveAccessibleDescription("No changes yet");
    expect(changes()).toEqual([]);
  });

  it("outside of the owner's domain are named before anything is sent", async () => {
    const { user } = await openOn();
    await user.type(field(), "h.visser@nvg.example{Enter}");
    expect(
      screen.getByText(/^nvg\.example is outside example\.com, the owner’s domain\./),
    ).toBeInTheDocument();
  });

  it("who cannot sign in are told of before anything is sent, also in the review, with a link offered instead", async () => {
    const { user } = await openOn();
    await add(user, "mary@example.com");
    expect(screen.queryByText(/can’t sign in/)).toBeNull();
    await add(user, "h.visser@nvg.example");
    const warning = /People without an account on this service can’t sign in/;
    expect(screen.getByText(warning)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Review" }));
    expect(screen.getByText(warning)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Use a link instead" }));
    expect(screen.queryByText(warning)).toBeNull();
    await holds(/Anyone with the link and password can view/);
    await user.click(apply());
    await screen.findByText("Link password");
    expect(changes()).toEqual([
      {
        share: [{ type: "person", email: "mary@example.com", role: "viewer" }],
        link: { mode: "password", role: "viewer", password: expect.stringMatching(/^.{20,}$/) },
      },
    ]);
  });

  it("outside get no word of signing in where nobody knows whether they can", async () => {
    const named = capabilities.filter((name) => name !== "shared_links" && name !== "link_password");
    const { user } = await openOn(someAccess({ link: "anyone", link_role: "viewer" }), {
      known: { named, tried: {} },
    });
    await user.type(field(), "h.visser@nvg.example{Enter}");
    expect(screen.getByText(/may not be able to sign in/)).toBeInTheDocument();
    // It opens already: nothing of it changes, the address is only not added.
    await user.click(screen.getByRole("button", { name: "Use a link instead" }));
    expect(screen.queryByText("h.visser@nvg.example")).toBeNull();
    expect(apply()).toHaveAccessibleDescription("No changes yet");
  });

  it("C-02 with a role that is not known are shown with it, and it is kept", async () => {
    const { user } = await openOn(someAccess({ people: [ada, { ...grace, role: "commenter" }] }));
    expect(screen.getByRole("combobox", { name: "Role of Grace Sample" })).toHaveDisplayValue("commenter");
    await holds(/1 more has an unknown role \(commenter\)/);
    await add(user, "mary@example.com");
    await user.click(apply());
    await screen.findByText("Who has access now");
    expect(changes()).toEqual([{ share: [{ type: "person", email: "mary@example.com", role: "viewer" }] }]);
  });

  it("S-38 that the role hides are counted, and nothing can be changed, with the reason", async () => {
    await openOn(
      someAccess({
        people: [],
        grants_visibility: "limited",
        hidden_by_role: { viewer: { people: 3, teams: 1 }, editor: { people: 1 } },
      }),
    );
    expect(sentence()).toHaveTextContent("Your role hides 4 people and 1 team with access.");
    expect(
      screen.getByText("4 people and 1 team hidden by your role. They keep their access."),
    ).toBeInTheDocument();
    expect(screen.getByText(/You can open this file, but not change who has access/)).toBeInTheDocument();
    expect(field()).toHaveAttribute("aria-disabled", "true");
    expect(apply()).toHaveAccessibleDescription("Your role does not allow it");
  });
});

describe("sending", () => {
  it("is reviewed line by line, sends only what changed, and says what came of it and who was told", async () => {
    const { user } = await openOn(someAccess({ people: [ada, grace] }));
    await add(user, "mary@example.com");
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of Grace Sample" }), "Remove access");
    expect(screen.getByText("1 added, 1 removed")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Review" }));
    const review = screen.getByRole("region", { name: "Changes" });
    expect(within(review).getByText("mary@example.com added as viewer")).toBeInTheDocument();
    expect(
      within(review).getByText("Grace Sample (grace@example.com) removed, was viewer"),
    ).toBeInTheDocument();
    await user.click(apply());
    expect(await screen.findByText(/This service sends no e-mail/)).toHaveTextContent(
      "1 person is new here: mary@example.com.",
    );
    expect(changes()).toEqual([
      {
        share: [{ type: "person", email: "mary@example.com", role: "viewer" }],
        remove: [{ type: "person", email: "grace@example.com" }],
      },
    ]);
  });

  it("sends x-auth-key with a personal key, and team_id with a team's", async () => {
    const { user } = await openOn(someAccess(), {
      credential: { kind: "team", secret: "test-key-of-harbor", userId: null, teamId: "team_harbor" },
    });
    await add(user, "mary@example.com");
    await user.click(apply());
    await screen.findByText("Who has access now");
    const [sent] = service().seen(updateArtifactAccess);
    expect(sent?.url.searchParams.get("team_id")).toBe("team_harbor");
    expect(service().seen(getArtifactAccess)[0]?.url.searchParams.get("team_id")).toBe("team_harbor");
  });

  it("keeps what is edited until the answer comes", async () => {
    const { user, settings } = await openOn(someAccess({ people: [ada, grace] }));
    const before = settings.art_rates ?? someAccess();
    const answer = service().holdBack(
      updateArtifactAccess,
      { access: { ...before, organization_access: { role: "viewer" } }, notified: [] },
      { times: 1 },
    );
    await user.selectOptions(
      screen.getByRole("combobox", { name: /Everyone in the organisation|Role of everyone/i }),
      "viewer",
    );
    await user.click(apply());
    await waitFor(() => expect(service().seen(updateArtifactAccess)).toHaveLength(1));
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of Grace Sample" }), "Remove access");
    answer();
    await screen.findByText("Who has access now");
    await user.click(screen.getByRole("button", { name: "Change more" }));
    expect(apply()).toHaveAccessibleName("Apply 1 change");
    expect(screen.getByRole("button", { name: "Undo the removal of Grace Sample" })).toBeInTheDocument();
  });

  it("names what changed on the way than it was sent", async () => {
    const { user } = await openOn();
    service().override(updateArtifactAccess, { access: someAccess(), notified: [] }, { times: 1 });
    await add(user, "mary@example.com");
    await user.click(apply());
    const notice = await screen.findByText("The service applied something different");
    expect(notice.parentElement).toHaveTextContent("mary@example.com removed, was viewer");
  });

  it("is taken back with one press, and says what cannot be", async () => {
    const { user, settings } = await openOn(
      someAccess({
        people: [ada, grace],
        link: "anyone",
        link_role: "viewer",
        link_url: "http://localhost:3000/shared/tok_0",
      }),
    );
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of Grace Sample" }), "Remove access");
    await user.click(screen.getByRole("radio", { name: "Off" }));
    await user.click(apply());
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText(/The link may get a new address/);
    expect(settings.art_rates).toMatchObject({
      people: [{ role: "owner" }, { email: "grace@example.com", role: "viewer" }],
      link: "anyone",
    });
    expect(settings.art_rates?.link_url).not.toBe("http://localhost:3000/shared/tok_0");
  });

  it("is not left without a word while something is not sent", async () => {
    const { user, isClosed } = await openOn();
    await add(user, "mary@example.com");
    await user.keyboard("{Escape}");
    expect(screen.getByText("Your changes are not applied yet.")).toBeInTheDocument();
    expect(isClosed()).toBe(false);
    await user.click(screen.getByRole("button", { name: "Keep editing" }));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Discard changes" }));
    expect(isClosed()).toBe(true);
  });

  it("waits for an address that is typed and not added yet, which stays through the review", async () => {
    const { user } = await openOn(someAccess({ people: [ada, grace] }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of Grace Sample" }), "editor");
    await user.type(field(), "mary@example.com");
    expect(apply()).toHaveAccessibleDescription("Add or remove the addresses above first");
    await user.click(screen.getByRole("button", { name: "Review" }));
    await user.click(screen.getByRole("button", { name: "Edit" }));
    expect(field()).toHaveValue("mary@example.com");
  });

  it("is not left without a word while an address is typed", async () => {
    const { user, isClosed } = await openOn();
    await user.type(field(), "mary@example.com{Escape}");
    expect(screen.getByText("Your changes are not applied yet.")).toBeInTheDocument();
    expect(isClosed()).toBe(false);
  });
});

it("C-45: a second Escape goes back to editing, and throws nothing away", async () => {
  const { user, isClosed } = await openOn();
  await add(user, "mary@example.com");
  await user.keyboard("{Escape}{Escape}");
  expect(isClosed()).toBe(false);
  expect(apply()).toHaveAccessibleName("Apply 1 change");
});

describe("C-23 somebody else's change meanwhile", () => {
  it("is shown before anything is sent, and both changes are kept", async () => {
    const { user, settings } = await openOn(someAccess({ people: [ada, grace] }));
    await add(user, "mary@example.com");
    settings.art_rates = someAccess({
      people: [ada, { ...grace, role: "editor" }],
      organization_access: { role: "viewer" },
    });
    await user.click(apply());
    const notice = await screen.findByText("Someone else changed this in the meantime");
    expect(notice.parentElement).toHaveTextContent(
      "Grace Sample (grace@example.com) changed to editor, was viewer",
    );
    expect(notice.parentElement).toHaveTextContent("Everyone in the organisation added as viewer");
    expect(changes()).toEqual([]);
    await user.click(apply());
    await screen.findByText("Who has access now");
    expect(settings.art_rates).toMatchObject({
      people: [{ role: "owner" }, { role: "editor" }, { email: "mary@example.com", role: "viewer" }],
      organization_access: { role: "viewer" },
    });
  });

  it("to the same thing waits for a choice, and what is chosen holds", async () => {
    const { user, settings } = await openOn(someAccess({ people: [ada, grace] }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of Grace Sample" }), "editor");
    settings.art_rates = someAccess();
    await user.click(apply());
    await screen.findByText("Someone else changed this in the meantime");
    expect(apply()).toHaveAccessibleDescription("Resolve the conflict first");
    await user.click(apply());
    expect(changes()).toEqual([]);
    const both = within(screen.getByRole("table", { name: "What you both changed" }));
    expect(both.getByRole("row", { name: /Grace Sample.*viewer.*editor.*no access/ })).toBeInTheDocument();
    await user.click(both.getByRole("radio", { name: "Yours" }));
    expect(apply()).toHaveTextContent("Apply 1 change");
    await user.click(both.getByRole("radio", { name: "Theirs" }));
    await holds(/Only the owner/);
    expect(settings.art_rates).toEqual(someAccess());
  });
});

describe("the link", () => {
  it("warns before it is opened to anyone, and gives its address afterwards", async () => {
    const { user } = await openOn();
    await user.click(screen.getByRole("radio", { name: "Anyone" }));
    expect(
      screen.getByText(/Anyone with this link can read the file without signing in/),
    ).toBeInTheDocument();
    await holds(/^Who will have accessAnyone with the link can view/);
    await user.click(apply());
    await screen.findByText("http://localhost:3000/shared/tok_1");
  });

  it("S-36 takes a password of 10 to 256 characters, shows it once, and keeps it nowhere", async () => {
    const { user } = await openOn();
    await user.click(screen.getByRole("radio", { name: /password/i }));
    expect(apply()).toHaveAccessibleDescription("Enter a password for the link first");
    await user.type(screen.getByLabelText("Password"), "too short{Tab}");
    expect(screen.getByText("Use at least 10 characters; this has 9.")).toBeInTheDocument();
    expect(apply()).toHaveAccessibleDescription("The password is too short or too long");
    await user.click(screen.getByRole("button", { name: "Generate" }));
    const password = (screen.getByLabelText("Password") as HTMLInputElement).value;
    expect(password.length).toBeGreaterThan(20);
    await user.click(apply());
    await screen.findByText("Link password");
    expect(changes()).toEqual([{ link: { mode: "password", role: "viewer", password } }]);
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])).not.toContain(
      password,
    );
    await user.click(screen.getByRole("button", { name: "Change more" }));
    expect(document.body).not.toHaveTextContent(password);
    expect(screen.getByLabelText("New password")).toHaveValue("");
  });

  it("keeps a typed password while another way in is looked at, and sends it only with its own", async () => {
    const { user } = await openOn();
    await user.click(screen.getByRole("radio", { name: /password/i }));
    await user.type(screen.getByLabelText("Password"), "correct horse battery");
    await user.click(screen.getByRole("radio", { name: "Anyone" }));
    await user.click(screen.getByRole("radio", { name: /password/i }));
    expect(screen.getByLabelText("Password")).toHaveValue("correct horse battery");
    await user.click(screen.getByRole("radio", { name: "Anyone" }));
    await user.click(apply());
    await screen.findByText("Who has access now");
    expect(changes()).toEqual([{ link: { mode: "anyone", role: "viewer" } }]);
    expect(screen.queryByText("Link password")).toBeNull();
  });

  it("says where a service takes no password from here", async () => {
    const named = capabilities.filter((name) => name !== "link_password");
    const { user } = await openOn(someAccess(), { known: { named, tried: {} } });
    await user.click(screen.getByRole("radio", { name: /password/i }));
    expect(screen.getByText(/Passwords can’t be set here/)).toBeInTheDocument();
    expect(screen.queryByLabelText("Password")).toBeNull();
  });

  it("C-02 with a mode that is not known is shown raw, and kept until another is chosen", async () => {
    const { user } = await openOn(someAccess({ link: "invited", link_role: "viewer" }));
    expect(screen.getByText("invited", { selector: "section span" })).toBeInTheDocument();
    for (const name of ["Off", "Anyone"]) expect(screen.getByRole("radio", { name })).not.toBeChecked();
    await add(user, "mary@example.com");
    await user.click(apply());
    await screen.findByText("Who has access now");
    expect(changes()).toEqual([{ share: [{ type: "person", email: "mary@example.com", role: "viewer" }] }]);
  });
});
