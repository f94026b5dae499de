import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listRunsBySavedItem } from "../../../../contract/run.ts";
import { aDoneRun, aRun } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

const at = (second: number) => `2026-11-20T09:15:0${second}.000Z`;
const failed = aRun({
  run_id: "run_bad",
  state: "FAILED",
  created_ts: "2026-11-20T09:15:00.000+00:00",
  finished_ts: "2026-11-20T09:15:09.000+00:00",
  log: [`${at(0)} [Name] given: Ada`, `${at(1)} [Greeting] started`, `${at(9)} [Greeting] failed: no paper`],
});

describe("comparing two runs", () => {
  it("takes the last good run of the same flow in one click, and says where they part", async () => {
    service().state.runs = [aDoneRun(), failed];
    const { user, router } = renderConsole("/runs/run_bad");
    await user.click(await screen.findByRole("link", { name: "Compare" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ a: "run_hello", b: "run_bad" }));
    expect(router.state.location.pathname).toBe("/runs/compare");
    await screen.findByText(/They part at line 3, in Greeting/);
    expect(screen.getByText(/Up to there the logs say the same/)).toBeInTheDocument();
    const first = within(screen.getByRole("region", { name: "Run A" }));
    expect(first.getByText("Done")).toBeInTheDocument();
    expect(first.getByText("the last good run")).toBeInTheDocument();
    expect(screen.getByText("B has none, it did not end as done")).toBeInTheDocument();
    expect(screen.getByRole("heading", { level: 1, name: "Compare 2 runs" })).toBeInTheDocument();
  });

  it("says when no earlier run of the flow was done, and takes another by its id", async () => {
    service().state.runs = [failed, aRun({ run_id: "run_other" })];
    const { user, router } = renderConsole("/runs/compare?b=run_bad");
    await screen.findByRole("heading", { name: "No earlier run of this flow was done" });
    await user.type(screen.getByRole("textbox", { name: /Run A/ }), "run_other");
    await user.click(screen.getByRole("button", { name: "Compare" }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ a: "run_other", b: "run_bad" }));
  });

  it("names which of the two cannot be read", async () => {
    service().state.runs = [failed];
    renderConsole("/runs/compare?a=run_of_nobody&b=run_bad");
    await screen.findByRole("heading", { name: "Run A was not found" });
    expect(screen.getByRole("button", { name: "Change run A" })).toBeInTheDocument();
  });

  it("swaps the two by a key, and keeps what is shown in the address", async () => {
    service().state.runs = [aDoneRun(), failed];
    const { user, router } = renderConsole("/runs/compare?a=run_hello&b=run_bad&show=all");
    await screen.findByText(/They part at/);
    await user.keyboard("x");
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ a: "run_bad", b: "run_hello", show: "all" }),
    );
    await user.click(await screen.findByRole("switch", { name: /Even out/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ exact: true }));
  });

  it("works where the service lists nothing, with what this browser knows, and says what is missing", async () => {
    service().state.capabilities = null;
    service().override(listRunsBySavedItem, {});
    service().state.runs = [aDoneRun(), failed];
    renderConsole("/runs/compare?a=run_hello&b=run_bad", { as: { known: { named: null, tried: {} } } });
    await screen.findByText(/They part at line 3/);
    expect(screen.getByText(/not known of either run/)).toBeInTheDocument();
  });
});
