import "@testing-library/jest-dom/vitest";
import { configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { getArtifactAccess, type ItemAccess, updateArtifactAccess } from "../../../contract/access.ts";
import { capabilities } from "../../../contract/console.ts";
import { anArtifact, keepAccess, someAccess } from "../../../testing/access.ts";
import { anyJson } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { signedInWheelhouse } from "../../../testing/test-wheelhouse.ts";
import type { SignedIn } from "../../session/signed-in.ts";
import { ApiProvider } from "../api-context.tsx";
import { Providers } from "../frame/Providers.tsx";
import { PreferencesStore } from "../preferences/preferences.tsx";
import ShareDialog from "./ShareDialog.tsx";

configure({ getElementError: (message) => new Error(message?.split("\n\n")[0] ?? "not found") });
const service = mockServicePerTest(() => ({
  state: {
    teams: [
      { id: "team_harbor", name: "Harbor" },
      { id: "team_annex", name: "Annex" },
    ],
  },
}));
const grace = { email: "grace@example.com", name: "Grace Sample", role: "viewer" };
const ada = someAccess().people[0] ?? grace;

function open(as: Partial<SignedIn> = {}) {
  const { wheelhouse, api } = signedInWheelhouse(as);
  let isClosed = false;
  render(
    <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
      <ApiProvider api={api}>
        <ShareDialog
          artifact={anArtifact()}
          artifactId="art_rates"
          onClose={() => {
            isClosed = true;
          }}
        />
      </ApiProvider>
    </Providers>,
  );
  return { user: userEvent.setup(), isClosed: () => isClosed };
}

/** Opens the dialog on these settings; `settings.art_rates` is what the service holds. */
async function openOn(access: ItemAccess = someAccess(), as: Partial<SignedIn> = {}) {
  const settings = keepAccess(service(), { art_rates: access });
  const opened = open(as);
  await screen.findByRole("region", { name: "Who will have access" });
  return { ...opened, settings };
}

const field = () => screen.getByRole("combobox", { name: "People by e-mail, or a team" });
const sentence = () => screen.getByRole("region", { name: "Who will have access" });
const apply = () => screen.getByRole("button", { name: /^Apply/ });
const changes = () =>
  service()
    .seen(updateArtifactAccess)
    .map(({ body }) => body);
const holds = async (text: RegExp) => waitFor(() => expect(sentence()).toHaveTextContent(text));

async function add(user: ReturnType<typeof userEvent.setup>, who: string) {
  await user.type(field(), `${who}{Enter}`);
  await user.click(screen.getByRole("button", { name: "Add" }));
}

describe("people and teams", () => {
  it("are pasted as a list in any form: read once each, invalid ones named and kept", async () => {
    const { user } = await openOn();
    await user.click(field());
    await user.paste("Mary <mary@example.com>; ALAN@example.com\nalan@example.com, nobody@, team_annex");
    expect(screen.getByText("mary@example.com")).toBeInTheDocument();
    expect(screen.getByText(/is neither an e-mail address nor a team of yours/)).toHaveTextContent(
      /^nobody@ is/,
    );
    expect(field()).toHaveAttribute("aria-invalid", "true");
    await user.click(screen.getByRole("button", { name: "Add" }));
    expect(screen.getByText("Annex").closest("li")).toHaveTextContent("added");
    await holds(/3 people and 1 team have access by name/);
    // What cannot be read stays, and hinders sending until it is dealt with.
    expect(apply()).toHaveAccessibleDescription("Add the addresses above, or take them out, first");
    await user.click(screen.getByRole("button", { name: "Take nobody@ out" }));
    await user.click(apply());
    expect(await screen.findByText("Who has access now")).toBeInTheDocument();
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
    await user.selectOptions(screen.getByRole("combobox", { name: "Role of those who are added" }), "editor");
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
    expect(apply()).toHaveAccessibleDescription("Nothing is changed yet");
    expect(changes()).toEqual([]);
  });

  it("outside of the owner's domain are named before anything is sent", async () => {
    const { user } = await openOn();
    await user.type(field(), "h.visser@nvg.example{Enter}");
    expect(screen.getByText("nvg.example is outside example.com, the owner’s domain")).toBeInTheDocument();
  });

  it("C-02 with a role that is not known are shown with it, and it is kept", async () => {
    const { user } = await openOn(someAccess({ people: [ada, { ...grace, role: "commenter" }] }));
    expect(screen.getByRole("combobox", { name: "Role of Grace Sample" })).toHaveDisplayValue("commenter");
    await holds(/1 more has the role commenter, which this console does not know/);
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
      screen.getByText("4 people and 1 team that your role hides. They keep their access."),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/Your role lets you open this file, not change who else may/),
    ).toBeInTheDocument();
    expect(field()).toBeDisabled();
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
    const review = screen.getByRole("region", { name: "What will be changed" });
    expect(within(review).getByText("mary@example.com added as viewer")).toBeInTheDocument();
    expect(
      within(review).getByText("Grace Sample (grace@example.com) removed, was viewer"),
    ).toBeInTheDocument();
    await user.click(apply());
    expect(await screen.findByText(/Nobody was told: this service sends no mail/)).toHaveTextContent(
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

  it("names what came back otherwise than it was sent", async () => {
    const { user } = await openOn();
    service().override(updateArtifactAccess, { access: someAccess(), notified: [] }, { times: 1 });
    await add(user, "mary@example.com");
    await user.click(apply());
    const notice = await screen.findByText("What came back is not what was sent");
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
    expect(await screen.findByText(/The link may get a new address/)).toBeInTheDocument();
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
    expect(screen.getByText("Nothing was sent yet.")).toBeInTheDocument();
    expect(isClosed()).toBe(false);
    await user.click(screen.getByRole("button", { name: "Go on editing" }));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Drop the changes" }));
    expect(isClosed()).toBe(true);
  });
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
    const notice = await screen.findByText("Somebody else changed this meanwhile");
    expect(notice.parentElement).toHaveTextContent(
      "Grace Sample (grace@example.com) becomes editor, was viewer",
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
    await screen.findByText("Somebody else changed this meanwhile");
    expect(apply()).toHaveAccessibleDescription("Choose between your change and theirs first");
    await user.click(apply());
    expect(changes()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Take theirs" }));
    await holds(/Only the owner/);
    expect(settings.art_rates).toEqual(someAccess());
  });
});

describe("the link", () => {
  it("warns before it is opened to anyone, and gives its address afterwards", async () => {
    const { user } = await openOn();
    await user.click(screen.getByRole("radio", { name: "Anyone" }));
    expect(
      screen.getByText(/Anyone who gets this link can read the file, without signing in/),
    ).toBeInTheDocument();
    await holds(/^Who will have accessAnyone with the link can view/);
    await user.click(apply());
    expect(await screen.findByText("http://localhost:3000/shared/tok_1")).toBeInTheDocument();
  });

  it("S-36 takes a password of 10 to 256 characters, shows it once, and keeps it nowhere", async () => {
    const { user } = await openOn();
    await user.click(screen.getByRole("radio", { name: /password/i }));
    expect(apply()).toHaveAccessibleDescription("Write a password for the link first");
    await user.type(screen.getByLabelText("Password"), "too short{Tab}");
    expect(screen.getByText("A password has at least 10 characters; this one has 9.")).toBeInTheDocument();
    expect(apply()).toHaveAccessibleDescription("The password has the wrong length");
    await user.click(screen.getByRole("button", { name: "Generate" }));
    const password = (screen.getByLabelText("Password") as HTMLInputElement).value;
    expect(password.length).toBeGreaterThan(20);
    await user.click(apply());
    expect(await screen.findByText("Password of the link")).toBeInTheDocument();
    expect(changes()).toEqual([{ link: { mode: "password", role: "viewer", password } }]);
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])).not.toContain(
      password,
    );
    await user.click(screen.getByRole("button", { name: "Change more" }));
    expect(document.body).not.toHaveTextContent(password);
    expect(screen.getByLabelText("New password")).toHaveValue("");
  });

  it("says where a service takes no password from here", async () => {
    const named = capabilities.filter((name) => name !== "link_password");
    const { user } = await openOn(someAccess(), { known: { named, tried: {} } });
    await user.click(screen.getByRole("radio", { name: /password/i }));
    expect(screen.getByText(/This service takes no password from here/)).toBeInTheDocument();
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

describe("a refusal", () => {
  it("400 stands at the line that it is about, and everything typed stays", async () => {
    const { user } = await openOn();
    await add(user, "mary@example.com");
    await add(user, "alan@example.com");
    service().override(
      updateArtifactAccess,
      new Refusal("invalid_access_change", {
        message: "share.1.email is no e-mail address.",
        param: "share.1.email",
      }),
    );
    await user.click(apply());
    expect(await screen.findByText("Nothing was changed")).toBeInTheDocument();
    const row = screen.getByText("alan@example.com").closest("li");
    expect(row).toHaveTextContent("share.1.email is no e-mail address. Nothing was changed.");
    expect(screen.getByText("mary@example.com").closest("li")).not.toHaveTextContent("is no e-mail");
    expect(apply()).toHaveAccessibleName("Apply 2 changes");
  });

  it("403 switches the controls off and says whom to ask", async () => {
    const { user } = await openOn();
    await add(user, "mary@example.com");
    service().override(
      updateArtifactAccess,
      new Refusal("forbidden", { message: "You cannot manage this." }),
    );
    await user.click(apply());
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(
      /You cannot manage this\..*Nothing was changed: your role may look at this/,
    );
    expect(alert).toHaveTextContent("Ask the owner, or somebody with the role editor.");
    expect(field()).toBeDisabled();
    expect(screen.getByText("mary@example.com")).toBeInTheDocument();
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
    expect(await screen.findByText(/You are not a member of this team/)).toBeInTheDocument();
    expect(field()).toBeEnabled();
  });

  it("C-22 404 while the dialog is open says that it is gone", async () => {
    const { user } = await openOn();
    await add(user, "mary@example.com");
    service().override(
      getArtifactAccess,
      new Refusal("not_found", { message: "There is no such artifact." }),
    );
    await user.click(apply());
    expect(await screen.findByRole("alert")).toHaveTextContent(
      /There is no such artifact\..*It was deleted, or you may not see it any more\./,
    );
    expect(changes()).toEqual([]);
  });

  it("C-21 401 asks for the key elsewhere, and keeps what was typed", async () => {
    const { user } = await openOn();
    await add(user, "mary@example.com");
    service().override(getArtifactAccess, new Refusal("invalid_credentials"));
    await user.click(apply());
    await waitFor(() => expect(service().seen(getArtifactAccess).length).toBe(2));
    expect(screen.getByText("mary@example.com")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("without an answer says that it is not known, and applying again sends nothing twice", async () => {
    const { user, settings } = await openOn();
    await add(user, "mary@example.com");
    // The change arrives; its answer does not.
    service().override(
      updateArtifactAccess,
      () => {
        settings.art_rates = someAccess({
          people: [ada, { email: "mary@example.com", name: "Mary", role: "viewer" }],
        });
        return Response.error();
      },
      { times: 1 },
    );
    await user.click(apply());
    expect(await screen.findByRole("alert")).toHaveTextContent("Whether the change was made is not known.");
    await user.click(apply());
    expect(await screen.findByText("mary@example.com added as viewer")).toBeInTheDocument();
    expect(screen.getByText("Who has access now")).toBeInTheDocument();
    expect(changes()).toHaveLength(1);
  });

  it("when it is first read can be tried again", async () => {
    keepAccess(service(), { art_rates: someAccess() });
    service().override(getArtifactAccess, new Refusal("unavailable"), { times: 1 });
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "Try now" }));
    expect(await screen.findByText("Ada Sample", { selector: "strong bdi" })).toBeInTheDocument();
  });
});

describe("another service", () => {
  it("without the public read is read by a change that changes nothing", async () => {
    service().override(getArtifactAccess, anyJson({ message: "Not Found" }, 404));
    service().override(updateArtifactAccess, { access: someAccess(), notified: [] });
    open({ known: { named: null, tried: {} } });
    expect(await screen.findByText("Ada Sample", { selector: "strong bdi" })).toBeInTheDocument();
    expect(changes()).toEqual([{}]);
  });

  it("C-01 with broken settings shows what can be read, and says what cannot", async () => {
    service().override(getArtifactAccess, anyJson({ access: { people: "all", teams: [], link: "none" } }));
    open();
    expect(await screen.findByText("One value cannot be read")).toBeInTheDocument();
    expect(sentence()).toHaveTextContent("The answer does not say which people can open it.");
  });
});
