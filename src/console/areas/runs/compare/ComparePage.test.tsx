import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listRunsBySavedItem } from "../../../../contract/run.ts";
import { listRuns } from "../../../../contract/runs.ts";
import { aDoneRun, aRun, aRunSummary } from "../../../../testing/builders.ts";
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
    await screen.findByText(/The runs diverge at line 3, in Greeting/);
    expect(screen.getByText(/Up to there, the logs are identical/)).toBeInTheDocument();
    const first = within(screen.getByRole("region", { name: "Run A" }));
    expect(first.getByText("Done")).toBeInTheDocument();
    expect(first.getByText("the last good run")).toBeInTheDocument();
    expect(screen.getByText("B has none: it did not finish")).toBeInTheDocument();
    expect(screen.getByRole("heading", { level: 1, name: "Compare 2 runs" })).toBeInTheDocument();
  });

  const past = (run_id: string, hour: number, part: Parameters<typeof aRunSummary>[0]) =>
    aRunSummary({ run_id, state: "DONE", created_ts: `2026-11-20T0${hour}:00:00.000+00:00`, ...part });

  it("takes of the good runs before the one with the most equal inputs, and the newest of several", async () => {
    const inputs = { name: "Ada", day: "Monday", copies: 2 };
    const rows = [
      past("run_bad", 9, { state: "FAILED", inputs }),
      past("run_last", 8, { inputs: { ...inputs, name: "Bob", day: "Friday" } }),
      past("run_same_but_failed", 7, { state: "FAILED", inputs }),
      past("run_like", 6, { inputs: { ...inputs, day: "Friday" } }),
      past("run_like_and_older", 5, { inputs: { ...inputs, day: "Tuesday" } }),
      past("run_later", 9, { created_ts: "2026-11-20T09:59:00.000+00:00", inputs }),
    ];
    service().state.runs = [failed, ...["run_like", "run_last"].map((run_id) => aDoneRun({ run_id }))];
    service().override(listRuns, { runs: rows, next_cursor: null });
    const { user, router } = renderConsole("/runs/compare?b=run_bad");
    await waitFor(() => expect(router.state.location.search).toEqual({ a: "run_like", b: "run_bad" }));
    const first = within(await screen.findByRole("region", { name: "Run A" }));
    await first.findByText("the good run with the most similar inputs");
    await user.click(first.getByRole("button", { name: "Change run A" }));
    await user.click(await screen.findByRole("menuitem", { name: /Last good run/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ a: "run_last" }));
  });

  it("shows long values that differ whole and below each other, with what differs marked", async () => {
    const text = (word: string) => `${"as ever ".repeat(60)}${word}`;
    service().state.runs = [
      aDoneRun({ log: [`${at(0)} [Name] ${text("41")}`], outputs: { report: text("41"), day: "Monday" } }),
      aDoneRun({
        run_id: "run_b",
        log: [`${at(0)} [Name] ${text("57")}`],
        outputs: { report: text("57"), day: "Friday" },
      }),
    ];
    renderConsole("/runs/compare?a=run_hello&b=run_b");
    const outputs = within(await screen.findByRole("region", { name: "Outputs" }));
    const cell = (await outputs.findByText("57")).closest("td");
    expect(cell).not.toHaveClass("truncate");
    expect(cell).toHaveTextContent(text("57"));
    const rows = outputs.getAllByRole("row").map((row) => row.textContent?.replaceAll("as ever ", ""));
    expect(rows).toEqual(["NameAB", "reportA  41", "B  57", "dayMondayFriday"]);
  });

  it("says when no earlier run of the flow was done, and takes another by its id", async () => {
    service().state.runs = [failed, aRun({ run_id: "run_other" })];
    const { user, router } = renderConsole("/runs/compare?b=run_bad");
    await screen.findByRole("heading", { name: "No earlier run of this flow succeeded" });
    await user.type(screen.getByRole("textbox", { name: /Run A/ }), "run_other");
    await user.click(screen.getByRole("button", { name: "Compare" }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ a: "run_other", b: "run_bad" }));
  });

  it("offers the other runs of the flow to choose from where none of them was good", async () => {
    service().state.runs = [failed, { ...failed, run_id: "run_worse" }];
    const { user, router } = renderConsole("/runs/compare?b=run_bad");
    await user.click(await screen.findByRole("button", { name: "Choose run A" }));
    const [other, ...more] = await screen.findAllByRole("menuitem");
    expect(more).toEqual([]);
    if (other) await user.click(other);
    await waitFor(() => expect(router.state.location.search).toMatchObject({ a: "run_worse", b: "run_bad" }));
  });

  it("names which of the two cannot be read", async () => {
    service().state.runs = [failed];
    renderConsole("/runs/compare?a=run_of_nobody&b=run_bad");
    await screen.findByRole("heading", { name: "Run A could not be found" });
    expect(screen.getByRole("button", { name: "Change run A" })).toBeInTheDocument();
  });

  it("swaps the two by a key, and keeps what is shown in the address", async () => {
    service().state.runs = [aDoneRun(), failed];
    const { user, router } = renderConsole("/runs/compare?a=run_hello&b=run_bad&show=all");
    await screen.findByText(/The runs diverge at/);
    await user.keyboard("x");
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ a: "run_bad", b: "run_hello", show: "all" }),
    );
    await user.click(await screen.findByRole("switch", { name: /Ignore times/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ exact: true }));
  });

  it("works where the service lists nothing, with what this browser knows, and says what is missing", async () => {
    service().state.capabilities = null;
    service().override(listRunsBySavedItem, {});
    service().state.runs = [aDoneRun(), failed];
    renderConsole("/runs/compare?a=run_hello&b=run_bad", { as: { known: { named: null, tried: {} } } });
    await screen.findByText(/The runs diverge at line 3/);
    expect(screen.getByText(/unknown for either run/)).toBeInTheDocument();
  });
});
