import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getOwnRoles } from "../../../../contract/admin.ts";
import { capabilities } from "../../../../contract/console.ts";
import type { TeamRight } from "../../../../contract/roles.ts";
import { getRunDetails, type RunDetails } from "../../../../contract/run.ts";
import { getRunNode, listRunNodeItems, listRunNodes } from "../../../../contract/run-nodes.ts";
import { aRun, someRunDetails } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { aRunNode, endedProgress } from "../../../../testing/run-nodes.ts";

const service = mockServicePerTest();

const ended = { state: "FAILED", finished_ts: "2026-11-20T08:15:04.000+00:00" };

function aRunThat(part: Partial<RunDetails> = {}) {
  const line = "2026-11-20T08:15:01.000Z [Ships] error: no answer";
  service().state.runs = [aRun({ ...ended, log: [...aRun().log, line] })];
  service().override(getRunDetails, someRunDetails({ ...ended, error: "Ships: no answer", ...part }));
  service().override(listRunNodes, {
    ...{ run_id: "run_hello", state: "FAILED", readable: true },
    nodes: [aRunNode({ id: "Ships", type: "each", state: "failed", items: { done: 1, total: 2 } })],
  });
  const unknown = { known: false, reason: "no", value: null, size: null, beginning: null };
  service().override(getRunNode, { inputs: unknown, output: unknown });
  service().override(listRunNodeItems, {
    items: [{ index: 1, ...endedProgress, state: "failed", preview: '"Borealis"' }],
    next_cursor: null,
  });
}

const again = () => screen.queryAllByRole("link", { name: /^Run (again from|from a step)/ });
const addresses = () => again().map((link) => link.getAttribute("href"));

describe("running a run again, from its page", () => {
  it("is offered where it failed, from a node and from an item", async () => {
    aRunThat();
    const { user } = renderConsole("/runs/run_hello?node=Ships");
    await user.click(await screen.findByRole("button", { name: /Borealis/ }));
    await waitFor(() => expect(addresses()).toContain("/runs/run_hello/again?node=Ships&item=1"));
    expect(new Set(addresses())).toEqual(
      new Set([
        "/runs/run_hello/again",
        "/runs/run_hello/again?node=Ships",
        "/runs/run_hello/again?node=Ships&item=1",
      ]),
    );
    const banner = screen.getAllByRole("alert").find((one) => one.textContent.includes("no answer"));
    expect(
      within(banner ?? document.body).getByRole("link", { name: "Run again from here" }),
    ).toHaveAttribute("href", "/runs/run_hello/again");
  });

  it("is not offered while the run moves, nor by a service that cannot", async () => {
    aRunThat();
    service().state.runs = [aRun()];
    service().override(getRunDetails, someRunDetails());
    const moving = renderConsole("/runs/run_hello?node=Ships");
    await screen.findByRole("region", { name: "Node Ships" });
    expect(again()).toEqual([]);
    moving.unmount();
    aRunThat({ again_of: { run_id: "run_first", node: "Ships", item: null }, again_by: [] });
    const named = capabilities.filter((name) => name !== "run_again");
    service().state.capabilities = named;
    renderConsole("/runs/run_hello?node=Ships", { as: { known: { named, tried: {} } } });
    await screen.findByRole("region", { name: "Node Ships" });
    expect(again()).toEqual([]);
    expect(screen.queryByRole("region", { name: "Related runs" })).toBeNull();
  });

  it.each<[rights: TeamRight[], links: boolean]>([
    [["see"], false],
    [["see", "operate"], true],
  ])("of a team is offered to whoever may start runs there: %s", async (rights, isOffered) => {
    aRunThat({ user_id: "user_grace", project_id: "team_harbor" });
    service().override(getOwnRoles, {
      ...{ user: null, role: "member" },
      teams: [{ id: "team_harbor", name: "Harbor", role: isOffered ? "operator" : "viewer", rights }],
    });
    renderConsole("/runs/run_hello?node=Ships");
    await screen.findByRole("region", { name: "Node Ships" });
    await waitFor(() => expect(service().seen(getOwnRoles).length).toBeGreaterThan(0));
    if (isOffered) await waitFor(() => expect(again()).not.toEqual([]));
    else expect(again()).toEqual([]);
  });

  it("leaves two runs that know each other, and lead to their comparison", async () => {
    const by = ["run_newest", "run_b", "run_c", "run_d", "run_e"].map((run_id) => ({
      ...{ run_id, state: "DONE", created_ts: "2026-11-20T09:15:04.000+00:00" },
    }));
    aRunThat({ again_of: { run_id: "run_first", node: "Ships", item: 417 }, again_by: by });
    renderConsole("/runs/run_hello");
    const pair = within(await screen.findByRole("region", { name: "Related runs" }));
    expect(pair.getByText(/^Run again of/)).toHaveTextContent(
      "Run again of run_first, from Ships item 417 · Compare",
    );
    const compare = pair.getAllByRole("link", { name: "Compare" });
    expect(compare.map((link) => link.getAttribute("href"))).toEqual([
      "/runs/compare?a=run_first&b=run_hello",
      "/runs/compare?a=run_hello&b=run_newest",
      "/runs/compare?a=run_hello&b=run_b",
      "/runs/compare?a=run_hello&b=run_c",
    ]);
    expect(pair.getByText("and 2 earlier times")).toBeInTheDocument();
  });
});
