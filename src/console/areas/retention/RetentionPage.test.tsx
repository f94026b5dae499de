import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getRetention } from "../../../contract/retention.ts";
import { never } from "../../../testing/msw.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const oldest_ts = "2026-01-02T03:04:05.000+00:00";
const found = (kind: string, project_id: string | null, count: number, bytes: number) => ({
  ...{ kind, project_id, count, bytes, oldest_ts },
});
const rowNames = async () => {
  const table = await screen.findByRole("table", { name: "Retention" });
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .slice(0, 5)
        .map((cell) => cell.textContent),
    );
};

describe("the page about retention", () => {
  it("shows what would go of each kind and team, how much that is, and by which rule", async () => {
    service().override(getRetention, {
      rules: [
        { kind: "runs", project_id: null, days: 90 },
        { kind: "runs", project_id: "team_harbor", days: 365 },
        { kind: "search_index", project_id: null, days: 1 },
      ],
      preview: [
        found("runs", null, 1204, 5_012_345),
        found("runs", "team_harbor", 1, 4_100),
        found("runs", "team_far", 12, 49_200),
        found("search_index", null, 31, 900),
      ],
    });
    renderConsole("/retention");
    await screen.findByRole("heading", { name: "Due for deletion" });
    expect(await rowNames()).toEqual([
      ["Runs", "No team", "90 days", "1,204 runs", "5.0 MB"],
      ["Runs", "Harbor", "365 days", "1 run", "4.1 kB"],
      ["Runs", "team_far", "90 days", "12 runs", "49.2 kB"],
      ["Search entries", "No team", "1 day", "31 entries", "900 B"],
    ]);
    expect(screen.getByText(/can’t be undone/)).toBeInTheDocument();
  });

  it("shows the rules by which nothing would go, those of a team beside that of all others", async () => {
    service().override(getRetention, {
      rules: [
        { kind: "runs", project_id: null, days: 90 },
        { kind: "runs", project_id: "team_harbor", days: null },
        { kind: "conversations", project_id: null, days: 180 },
      ],
      preview: [],
    });
    renderConsole("/retention");
    await screen.findByRole("heading", { name: "Nothing is due for deletion" });
    expect(await rowNames()).toEqual([
      ["Runs", "All others", "90 days", "nothing", ""],
      ["Runs", "Harbor", "forever", "nothing", ""],
      ["Conversations", "All", "180 days", "nothing", ""],
    ]);
    expect(screen.queryByText(/can’t be undone/)).toBeNull();
  });

  it.each([
    { title: "without rules", rules: [] },
    { title: "where a team's things stay", rules: [{ kind: "runs", project_id: "team_harbor", days: null }] },
  ])("says $title that nothing is ever deleted, and how that is changed", async ({ rules }) => {
    service().override(getRetention, { rules, preview: [] });
    renderConsole("/retention");
    await screen.findByRole("heading", { name: "Nothing is ever deleted" });
    expect(screen.getByText("wheelhouse.yaml")).toBeInTheDocument();
    expect(screen.getByText(/^retention: \{ runs: 90d/)).toBeInTheDocument();
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("shows a kind that it does not know as it came", async () => {
    service().override(getRetention, { rules: [], preview: [found("letters", null, 2, 10)] });
    renderConsole("/retention");
    expect(await rowNames()).toEqual([["letters", "No team", "unknown", "2 items", "10 B"]]);
  });

  it("says neither that something would go nor that nothing would before it has been read", async () => {
    service().override(getRetention, never);
    renderConsole("/retention");
    await screen.findByRole("heading", { name: "Retention" });
    expect(await screen.findByText("Loading retention preview")).toBeInTheDocument();
    expect(screen.queryByText(/Nothing|Due for/)).toBeNull();
  });

  it("shows a team's key what is its team's", async () => {
    service().override(getRetention, {
      rules: [{ kind: "run_files", project_id: "team_harbor", days: 30 }],
      preview: [found("run_files", "team_harbor", 2, 2_000_000)],
    });
    const credential = { kind: "team", secret: "test-key-of-harbor-012345", userId: null } as const;
    renderConsole("/retention", {
      as: { userName: null, credential: { ...credential, teamId: "team_harbor" } },
    });
    expect(await rowNames()).toEqual([["Run files", "Harbor", "30 days", "2 files", "2.0 MB"]]);
  });

  it("asks nothing of a service that has no retention, and says so", async () => {
    renderConsole("/retention", { as: { known: { named: [], tried: {} } } });
    await screen.findByRole("heading", { name: "This service has no retention" });
    expect(service().seen(getRetention)).toEqual([]);
  });

  it("is reached from the settings and from the palette, where the service has retention", async () => {
    const { user, router, unmount } = renderConsole("/agents");
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    await user.click(await screen.findByRole("menuitem", { name: "Retention" }));
    await screen.findByRole("heading", { name: "Nothing is ever deleted" });
    await router.navigate({ to: "/agents" });
    await screen.findByRole("table", { name: "Agents" });
    await user.keyboard("{Control>}k{/Control}retention");
    const palette = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await user.click(await palette.findByRole("option", { name: /^Retention/ }));
    await screen.findByRole("heading", { name: "Nothing is ever deleted" });
    unmount();
    const without = renderConsole("/agents", { as: { known: { named: [], tried: {} } } });
    await without.user.click(await screen.findByRole("button", { name: "Settings" }));
    await screen.findByRole("menuitem", { name: "Local history" });
    expect(screen.queryByRole("menuitem", { name: "Retention" })).toBeNull();
  });
});
