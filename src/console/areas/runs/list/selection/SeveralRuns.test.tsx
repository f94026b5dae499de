import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { killPipeline } from "../../../../../contract/run.ts";
import { listRuns } from "../../../../../contract/runs.ts";
import { aDoneRun, aRun } from "../../../../../testing/builders.ts";
import { Refusal } from "../../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../../testing/msw-suite.ts";
import { onPhone } from "../../../../../testing/on-phone.ts";
import { renderConsole } from "../../../../../testing/render-console.tsx";
import { severalRunsOn } from "../../../../../testing/several-runs.tsx";

const service = mockServicePerTest();
const { hasRuns, boxOf, all, acts, openList, act, confirm, results } = severalRunsOn(service);

const said = () =>
  screen
    .getAllByRole("status")
    .map((one) => one.textContent)
    .join(" ");
const killed = () =>
  service()
    .seen(killPipeline)
    .map(({ body }) => (body as { run_id: string }).run_id);

describe("several runs are selected", () => {
  it("by their boxes, all at once, and as a range with shift", async () => {
    hasRuns(5, aDoneRun);
    const { user, router } = await openList();
    await user.click(await boxOf("run_1"));
    await waitFor(async () => expect(await acts()).toHaveTextContent("1 done run selected"));
    await user.keyboard("{Shift>}");
    await user.click(await boxOf("run_3"));
    await user.keyboard("{/Shift}");
    await waitFor(async () => expect(await acts()).toHaveTextContent("3 done runs selected"));
    await waitFor(async () => expect(await all()).toBePartiallyChecked());
    await user.click(await all());
    await waitFor(async () => expect(await acts()).toHaveTextContent("5 done runs selected"));
    await user.click(await all());
    await waitFor(() => expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull());
    // Selecting opens nothing, and a copied address selects nothing for somebody else.
    expect(router.state.location.search).toEqual({});
  });

  it("all at once also on a phone, where the rows have no head", async () => {
    await onPhone(async () => {
      hasRuns(5, aDoneRun);
      const { user } = renderConsole("/runs");
      await user.click(await boxOf("run_1"));
      await user.click(await screen.findByRole("button", { name: "Select all 5 shown" }));
      await waitFor(async () => expect(await acts()).toHaveTextContent("5 done runs selected"));
      expect(screen.getByRole("button", { name: "Run 5 again…" })).toHaveFocus();
      expect(screen.queryByRole("button", { name: /^Select all/ })).toBeNull();
    });
  });

  it("by keyboard only: x, ranges with J and K, a to the acts, and Escape", async () => {
    hasRuns(5, aDoneRun);
    const { user, router } = renderConsole("/runs");
    const table = await screen.findByRole("table", { name: "Runs" });
    /** Presses a key and waits until the keyboard stands on this run. */
    const press = async (key: string, id: string) => {
      await user.keyboard(key);
      await waitFor(() => expect(table.querySelector("[data-selected]")).toHaveAttribute("data-row", id));
    };
    await press("j", "run_0");
    await all();
    await press("x", "run_0");
    await waitFor(async () => expect(await boxOf("run_0")).toBeChecked());
    await press("j", "run_1");
    await press("j", "run_2");
    await press("J", "run_3");
    await press("J", "run_4");
    await waitFor(async () => expect(await acts()).toHaveTextContent("4 done runs selected"));
    await waitFor(async () => expect(await boxOf("run_1")).not.toBeChecked());
    await press("K", "run_3");
    await waitFor(async () => expect(await acts()).toHaveTextContent("3 done runs selected"));
    await press("x", "run_3");
    await waitFor(async () => expect(await acts()).toHaveTextContent("2 done runs selected"));
    await user.keyboard("a");
    expect(screen.getByRole("button", { name: "Run 2 again…" })).toHaveFocus();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull());
    // The panel was not closed with it.
    expect(router.state.location.search).toEqual({ run: "run_3" });
    await user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(sheet).toHaveTextContent("Select runx");
    expect(sheet).toHaveTextContent("Extend selection to next runJ");
  });

  it("and stay so while the list is read again; what leaves the list leaves the selection, in words", async () => {
    hasRuns(3);
    const { user, wheelhouse } = await openList("/runs?view=moving");
    await user.click(await boxOf("run_0"));
    await user.click(await boxOf("run_2"));
    const readAgain = () =>
      wheelhouse.queries.refetchQueries({ predicate: ({ queryKey }) => queryKey[1] === listRuns.name });
    service().state.runs.push(aRun({ run_id: "run_new", created_ts: "2026-11-20T09:00:00.000+00:00" }));
    await readAgain();
    await boxOf("run_new");
    await waitFor(async () => expect(await acts()).toHaveTextContent("2 running runs selected"));
    Object.assign(service().state.runs[2] ?? {}, {
      state: "DONE",
      finished_ts: "2026-11-20T09:00:00.000+00:00",
    });
    await readAgain();
    await waitFor(
      async () =>
        await waitFor(async () =>
          expect(await acts()).toHaveTextContent(/1 running run selected.*1 run no longer listed/),
        ),
    );
    await waitFor(() => expect(said()).toMatch(/1 run no longer listed/));
    await waitFor(async () => expect(await boxOf("run_0")).toBeChecked());
  });
});

describe("several runs are killed", () => {
  it("after a question that names how many and what goes with them; what cannot be killed is left out", async () => {
    hasRuns(2);
    hasRuns(1, aDoneRun, 2);
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Stop 2 runs…");
    const dialog = await screen.findByRole("dialog", { name: "Stop 2 runs?" });
    expect(dialog).toHaveTextContent(/all their sub-runs/);
    expect(dialog).toHaveTextContent(/1 of the selected is left out/);
    expect(killed()).toEqual([]);
    await confirm(user, "Stop 2 runs");
    const list = await results("Stop 2 runs");
    await waitFor(() => expect(list).toHaveTextContent("2 of 2 stopped"));
    expect(killed().sort()).toEqual(["run_0", "run_1"]);
    await waitFor(() => expect(said()).toContain("Stop 2 runs: 2 of 2 stopped"));
    // It stays until it is closed.
    await user.click(within(list).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Stop 2 runs" })).toBeNull());
  });

  it("and it says of each that it stopped once the list knows, also in a view that leaves out what ended", async () => {
    hasRuns(2);
    service().override(killPipeline, ({ body }) => ({ success: true, run_id: body.run_id }));
    const { user } = await openList("/runs?view=moving");
    await user.click(await all());
    await act(user, "Stop 2 runs…");
    await confirm(user, "Stop 2 runs");
    const list = await results("Stop 2 runs");
    await waitFor(() => expect(within(list).getAllByText(/^Stop requested/)).toHaveLength(2));
    for (const run of service().state.runs)
      Object.assign(run, { state: "TERMINATED", finished_ts: "2026-11-20T09:00:00.000+00:00" });
    await waitFor(() => expect(within(list).getAllByText("Stopped")).toHaveLength(2));
    expect(list).not.toHaveTextContent("Stop requested");
    expect(list).toHaveTextContent("2 of 2 stopped");
    expect(list).not.toHaveTextContent("asked to stop");
    await waitFor(() => expect(said()).toContain("Stop 2 runs: 2 of 2 stopped"));
  });

  it("and the heading counts as stopped only what did not come to its own end before", async () => {
    hasRuns(2);
    service().override(killPipeline, ({ body }) => ({ success: true, run_id: body.run_id }));
    const { user } = await openList("/runs?view=moving");
    await user.click(await all());
    await act(user, "Stop 2 runs…");
    await confirm(user, "Stop 2 runs");
    const list = await results("Stop 2 runs");
    await waitFor(() => expect(list).toHaveTextContent("2 of 2 asked to stop"));
    const finished_ts = "2026-11-20T09:00:00.000+00:00";
    for (const [at, run] of service().state.runs.entries())
      Object.assign(run, { state: at === 0 ? "DONE" : "TERMINATED", finished_ts });
    await waitFor(() => expect(list).toHaveTextContent("1 of 2 stopped, 1 ended before"));
  });

  it("2 of 5 refused keep the service's words, and are tried again alone", async () => {
    hasRuns(5);
    const isRefused = new Set(["run_1", "run_3"]);
    service().override(killPipeline, ({ body }) =>
      isRefused.has(body.run_id)
        ? new Refusal("forbidden", { message: `Only its owner ends ${body.run_id}.` })
        : { success: body.run_id !== "run_4", run_id: body.run_id },
    );
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Stop 5 runs…");
    await confirm(user, "Stop 5 runs");
    const list = await results("Stop 5 runs");
    await waitFor(() =>
      expect(list).toHaveTextContent("2 of 5 asked to stop, 1 had already ended, 2 failed"),
    );
    expect(list).toHaveTextContent("Only its owner ends run_1.");
    expect(list).toHaveTextContent(/403 forbidden, request req_/);
    isRefused.clear();
    await user.click(within(list).getByRole("button", { name: "Try 2 again" }));
    await waitFor(() => expect(list).toHaveTextContent("4 of 5 asked to stop, 1 had already ended"));
    expect(within(list).queryByRole("button", { name: /Try/ })).toBeNull();
    expect(killed().sort()).toEqual(["run_0", "run_1", "run_1", "run_2", "run_3", "run_3", "run_4"]);
  });

  it("C-21: a key that is refused in the middle keeps the rest, which goes on after the sign-in", async () => {
    hasRuns(6);
    let isGone = false;
    let calls = 0;
    service().override(killPipeline, ({ body }) => {
      calls += 1;
      if (calls === 3) isGone = true;
      return isGone ? new Refusal("invalid_credentials") : { success: true, run_id: body.run_id };
    });
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Stop 6 runs…");
    await confirm(user, "Stop 6 runs");
    const dialog = await screen.findByRole("dialog", { name: "Your key is no longer accepted" });
    isGone = false;
    const before = killed().length;
    await user.type(within(dialog).getByLabelText(/^Key for/), "another-key-of-ada-0123456789");
    await user.click(within(dialog).getByRole("button", { name: "Sign in and continue" }));
    const list = await results("Stop 6 runs");
    await waitFor(() => expect(list).toHaveTextContent("6 of 6 asked to stop"));
    expect(new Set(killed()).size).toBe(6);
    // Only what was refused went out a second time: a 401 did nothing.
    expect(killed().length - before).toBe(4);
  });

  it("C-38: a double click asks once for each", async () => {
    hasRuns(3);
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Stop 3 runs…");
    await user.dblClick(
      within(await screen.findByRole("dialog")).getByRole("button", { name: "Stop 3 runs" }),
    );
    const list = await results("Stop 3 runs");
    await waitFor(() => expect(list).toHaveTextContent("3 of 3 stopped"));
    expect(killed().sort()).toEqual(["run_0", "run_1", "run_2"]);
  });

  it("four at a time; what has not begun can be stopped, and gone on with", async () => {
    hasRuns(6);
    const answer = service().holdBack(killPipeline, ({ body }) => ({ success: true, run_id: body.run_id }));
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Stop 6 runs…");
    await confirm(user, "Stop 6 runs");
    const list = await results("Stop 6 runs");
    await waitFor(() => expect(killed()).toHaveLength(4));
    expect(within(list).getByRole("button", { name: "Close" })).toHaveAttribute("aria-disabled", "true");
    await user.click(within(list).getByRole("button", { name: "Skip the other 2" }));
    answer();
    await waitFor(() => expect(list).toHaveTextContent("4 of 6 asked to stop, 2 not started"));
    expect(killed()).toHaveLength(4);
    await user.click(within(list).getByRole("button", { name: "Resume 2" }));
    await waitFor(() => expect(list).toHaveTextContent("6 of 6 asked to stop"));
    expect(new Set(killed()).size).toBe(6);
    expect(killed()).toHaveLength(6);
  });

  it("and the results are there again when the list is left and opened again", async () => {
    hasRuns(2);
    service().override(killPipeline, new Refusal("unavailable"));
    const { user, router } = await openList();
    await user.click(await all());
    await act(user, "Stop 2 runs…");
    await confirm(user, "Stop 2 runs");
    await waitFor(async () => expect(await results("Stop 2 runs")).toHaveTextContent("2 failed"));
    await router.navigate({ to: "/agents" });
    await screen.findByRole("heading", { level: 1, name: "Agents" });
    await router.navigate({ to: "/runs" });
    await waitFor(async () => expect(await results("Stop 2 runs")).toHaveTextContent("2 failed"));
  });
});

describe("on a phone", () => {
  it("each row has its box at once, and says what was asked of it", async () => {
    await onPhone(async () => {
      hasRuns(2);
      // It is asked to end, and takes its time.
      service().override(killPipeline, ({ body }) => ({ success: true, run_id: body.run_id }));
      const { user } = renderConsole("/runs");
      const list = await screen.findByRole("list", { name: "Runs" });
      await user.click(await boxOf("run_1"));
      await waitFor(async () => expect(await acts()).toHaveTextContent("1 running run selected"));
      await act(user, "Stop 1 run…");
      await confirm(user, "Stop 1 run");
      await waitFor(async () =>
        expect(await results("Stop 1 run")).toHaveTextContent("1 of 1 asked to stop"),
      );
      await waitFor(() => expect(within(list).getAllByRole("listitem")[1]).toHaveTextContent("stopping"));
      expect(within(list).getAllByRole("listitem")[0]).toHaveTextContent("running");
    });
  });
});
