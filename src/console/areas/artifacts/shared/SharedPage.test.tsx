import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getArtifactAccess, type ItemAccess, updateArtifactAccess } from "../../../../contract/access.ts";
import { listArtifacts } from "../../../../contract/artifacts.ts";
import type { Output } from "../../../../contract/define.ts";
import { anArtifact, keepAccess, someAccess } from "../../../../testing/access.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const owner = someAccess().people[0] ?? { email: "", name: "", role: "" };
const person = (email: string, role = "viewer") => ({ email, name: email, role });

type Row = Output<typeof listArtifacts>["artifacts"][number];

/** Lets the service list these as shared, with the counts that their settings give. */
function share(settings: Record<string, ItemAccess>) {
  const kept = keepAccess(service(), settings);
  const isShared = (one: ItemAccess) =>
    one.link !== "none" || one.people.length > 1 || one.teams.length > 0 || one.organization_access !== null;
  const rows = (): Row[] =>
    Object.entries(kept)
      .filter(([, access]) => isShared(access))
      .map(([id, access]) => ({
        ...anArtifact({ id, filename: `${id}.csv` }),
        sharing: {
          link: access.link,
          people: access.people.length - 1,
          teams: access.teams.length,
          organization: access.organization_access !== null,
          made_for_team_id: access.made_for_team_id,
        },
      }));
  const madeForTeam = () =>
    Object.entries(kept).flatMap(([id, { made_for_team_id }]): Row[] =>
      made_for_team_id
        ? [
            {
              ...anArtifact({ id, filename: `${id}.csv` }),
              sharing: { link: "none", people: 0, teams: 0, organization: false, made_for_team_id },
            },
          ]
        : [],
    );
  service().override(listArtifacts, ({ query }) => ({
    artifacts: query.shared_through_team === true ? madeForTeam() : rows(),
    next_cursor: null,
  }));
  return kept;
}

const table = () => screen.findByRole("table", { name: "Shared artifacts" });
const names = async () =>
  within(await table())
    .getAllByRole("link")
    .map((link) => link.textContent);

const many: Record<string, ItemAccess> = {
  inside: someAccess({ people: [owner, person("grace@example.com")] }),
  outside: someAccess({ people: [owner, person("h.visser@nvg.example")] }),
  locked: someAccess({ link: "password", link_role: "viewer", password_protected: true }),
  open: someAccess({
    link: "anyone",
    link_role: "viewer",
    teams: [{ team_id: "team_harbor", role: "viewer" }],
  }),
};

describe("what I share", () => {
  it("shows open links first, then passwords, then people of other domains, then the rest", async () => {
    share({ ...many });
    renderConsole("/artifacts/shared");
    await waitFor(async () =>
      expect(await names()).toEqual(["open.csv", "locked.csv", "outside.csv", "inside.csv"]),
    );
    expect(screen.getByText("Open to anyone with the link").parentElement).toHaveTextContent(/link ?1$/);
    expect(screen.getByText("nvg.example")).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe("Shared by you · 1 open to anyone · Wheelhouse"));
    const [request] = service().seen(listArtifacts);
    expect(request?.url.searchParams.get("shared_by_me")).toBe("true");
    // Only where somebody was named is who it is read.
    const read = service()
      .seen(getArtifactAccess)
      .map(({ url }) => url.pathname.split("/").at(-2));
    expect(new Set(read)).toEqual(new Set(["inside", "outside"]));
  });

  it("says who wrote each file, and names the only person or team that it is open to", async () => {
    service().state.agents = [anAgent({ id: "agent_rates", name: "Rates" })];
    const grace = { ...person("grace@example.com"), name: "Grace Sample" };
    share({
      ...{ one: someAccess({ people: [owner, grace], teams: [{ team_id: "team_harbor", role: "viewer" }] }) },
      two: someAccess({ people: [owner, grace, person("linus@example.com")] }),
    });
    renderConsole("/artifacts/shared");
    const row = async (name: RegExp) => within(await table()).findByRole("row", { name });
    expect(await row(/one\.csv.*Grace Sample, Harbor/)).toHaveTextContent("Rates");
    expect(await row(/two\.csv.*2 people/)).toHaveTextContent("Rates");
  });

  it("keeps a row whose people cannot be read, and reads it again alone", async () => {
    share({ ...many });
    service().override(getArtifactAccess, new Refusal("unavailable"), { times: 1 });
    const { user } = renderConsole("/artifacts/shared");
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(async () =>
      expect(await names()).toEqual(["open.csv", "locked.csv", "outside.csv", "inside.csv"]),
    );
  });

  it("is searched by name, in the address", async () => {
    share({ ...many });
    const { router } = renderConsole("/artifacts/shared?q=OUT");
    await waitFor(async () => expect(await names()).toEqual(["outside.csv"]));
    expect(router.state.location.search).toEqual({ q: "OUT" });
  });

  it("says so where nothing is shared, and where the service has no such list", async () => {
    share({ mine: someAccess() });
    const { unmount } = renderConsole("/artifacts/shared");
    await screen.findByRole("heading", { name: "Nothing shared yet" });
    unmount();
    renderConsole("/artifacts/shared", { as: { known: { named: ["artifact_access"], tried: {} } } });
    await screen.findByRole("heading", { name: "This service does not list what you share" });
  });

  it("shows what reaches others through a team in a group of its own, where there is nothing to take away", async () => {
    share({ minutes: someAccess({ made_for_team_id: "team_harbor" }), mine: someAccess() });
    const { user } = renderConsole("/artifacts/shared");
    const list = within(await table());
    const row = within(await list.findByRole("row", { name: /minutes\.csv/ }));
    expect(
      await row.findByText("Everyone in Harbor, because it was created for that team"),
    ).toBeInTheDocument();
    const group = list.getByRole("rowheader", { name: /^Open to the team it was created for/ });
    expect(group).toHaveTextContent(/1 ?always open to its members$/);
    expect(row.queryByRole("button", { name: /Stop sharing/ })).toBeNull();
    expect(row.getByRole("button", { name: "Share" })).toBeInTheDocument();
    expect(row.queryByRole("checkbox")).toBeNull();
    expect(list.queryByRole("checkbox")).toBeNull();
    expect(screen.getByText("1 artifact others can open")).toBeVisible();
    await user.type(screen.getByRole("searchbox"), "nothing like it");
    await screen.findByText(/No matches for/);
  });

  it("keeps what is shared by hand in its own group, and says that a team views it as well", async () => {
    share({
      open: someAccess({ link: "anyone", link_role: "viewer", made_for_team_id: "team_harbor" }),
    });
    renderConsole("/artifacts/shared");
    const row = within(await screen.findByRole("row", { name: /open\.csv/ }));
    expect(
      await row.findByText("Anyone with the link, everyone in Harbor, because it was created for that team"),
    ).toBeInTheDocument();
    expect(screen.getAllByRole("row", { name: /open\.csv/ })).toHaveLength(1);
    expect(row.getByRole("button", { name: "Stop sharing open.csv" })).toBeInTheDocument();
  });

  it("does not say that nothing is shared where what goes through teams could not be read", async () => {
    service().override(listArtifacts, ({ query }) =>
      query.shared_through_team === true ? new Refusal("forbidden") : { artifacts: [], next_cursor: null },
    );
    renderConsole("/artifacts/shared");
    await screen.findByText("Artifacts shared through your teams: no access with this key");
    expect(screen.queryByRole("heading", { name: "Nothing shared yet" })).toBeNull();
  });

  it("goes on showing what a change came to, though the artifact is not in the list any more", async () => {
    share({ ...many });
    const { user } = renderConsole("/artifacts/shared");
    const row = await within(await table()).findByRole("row", { name: /locked\.csv/ });
    await user.click(within(row).getByRole("button", { name: "Share" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Share locked.csv" }));
    await user.click(await dialog.findByRole("radio", { name: "Off" }));
    await user.click(dialog.getByRole("button", { name: "Apply 1 change" }));
    await waitFor(() => expect(screen.queryByText("locked.csv", { selector: "td *" })).toBeNull());
    await screen.findByText("Who has access now");
    await user.click(screen.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("takes nothing for a share that the service does not call one", async () => {
    // A service that does not know the question answers with everything.
    service().override(listArtifacts, ({ query }) => ({
      artifacts: query.shared_by_me === true ? [] : [anArtifact()],
      next_cursor: null,
    }));
    renderConsole("/artifacts/shared");
    await screen.findByRole("heading", { name: "Nothing shared yet" });
  });

  it("says what happened when it cannot be read", async () => {
    service().override(listArtifacts, new Refusal("forbidden"));
    renderConsole("/artifacts/shared");
    await screen.findByRole("heading", { name: "Your shared artifacts: no access with this key" });
  });
});

describe("taking back", () => {
  it("one: says what goes, takes away everything but the owner, and puts it back", async () => {
    const settings = share({ ...many });
    const { user } = renderConsole("/artifacts/shared");
    await user.click(await screen.findByRole("button", { name: "Stop sharing open.csv" }));
    const dialog = await screen.findByRole("dialog", { name: "Stop sharing open.csv" });
    await within(dialog).findByText("Team Harbor removed, was viewer; Link turned off");
    await user.click(within(dialog).getByRole("button", { name: "Remove 2" }));
    await within(dialog).findByText("1 of 1 no longer shared");
    expect(settings.open).toMatchObject({ people: [{ role: "owner" }], teams: [], link: "none" });
    await user.click(within(dialog).getByRole("button", { name: "Undo" }));
    await within(dialog).findByText(/^Restored.*may get a new address/);
    expect(settings.open).toMatchObject({
      teams: [{ team_id: "team_harbor", role: "viewer" }],
      link: "anyone",
    });
  });

  it("only the links leaves people and teams their access", async () => {
    const settings = share({ ...many });
    const { user } = renderConsole("/artifacts/shared");
    await user.click(await screen.findByRole("button", { name: "Stop sharing open.csv" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: /^Only the links/ }));
    await user.click(await within(dialog).findByRole("button", { name: "Remove 1" }));
    await within(dialog).findByText("1 of 1 without a link");
    expect(settings.open).toMatchObject({
      teams: [{ team_id: "team_harbor", role: "viewer" }],
      link: "none",
    });
  });

  it("many: each has its own result, and what failed is tried again alone", async () => {
    const settings = share({ ...many });
    const { user } = renderConsole("/artifacts/shared");
    await user.click(within(await table()).getByRole("checkbox", { name: "Select all" }));
    await user.click(screen.getByRole("button", { name: "Stop sharing…" }));
    const dialog = await screen.findByRole("dialog", { name: "Stop sharing 4 artifacts" });
    const act = await within(dialog).findByRole("button", { name: "Remove 5" });
    service().override(updateArtifactAccess, new Refusal("forbidden", { message: "Not yours any more." }), {
      times: 1,
    });
    await user.click(act);
    await within(dialog).findByText("3 of 4 no longer shared, 1 failed");
    expect(within(dialog).getByText(/^Still shared. Not yours any more./)).toBeInTheDocument();
    expect(
      Object.values(settings).filter(({ link, people }) => link !== "none" || people.length > 1),
    ).toHaveLength(1);
    await user.click(within(dialog).getByRole("button", { name: "Try 1 again" }));
    await within(dialog).findByText("4 of 4 no longer shared");
    await user.click(within(dialog).getByRole("button", { name: "Done" }));
    await screen.findByRole("heading", { name: "Nothing shared yet" });
  });

  it("takes away what came meanwhile, and never the owner", async () => {
    const settings = share({ open: many.open ?? someAccess() });
    const { user } = renderConsole("/artifacts/shared");
    await user.click(await screen.findByRole("button", { name: "Stop sharing open.csv" }));
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByRole("button", { name: "Remove 2" });
    settings.open = someAccess({
      people: [owner, person("late@example.com")],
      link: "anyone",
      link_role: "viewer",
    });
    await user.click(within(dialog).getByRole("button", { name: "Remove 2" }));
    await within(dialog).findByText("late@example.com removed, was viewer; Link turned off");
    expect(settings.open.people).toEqual([owner]);
  });
});
