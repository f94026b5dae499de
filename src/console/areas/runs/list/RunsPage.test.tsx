import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getRun, listRunsBySavedItem } from "../../../../contract/run.ts";
import { listRuns } from "../../../../contract/runs.ts";
import { aDoneRun, aRun, aRunSummary } from "../../../../testing/builders.ts";
import { anyJson, never } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { onPhone } from "../../../../testing/on-phone.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

const rows = async () => {
  const table = await screen.findByRole("table", { name: "Runs" });
  return within(table).getAllByRole("row").slice(1);
};

describe("the runs list", () => {
  it("shows state, flow, first inputs, age and duration of each run, newest first", async () => {
    service().state.runs = [
      aDoneRun(),
      aRun({ run_id: "run_2", created_ts: "2026-11-20T08:16:00.000+00:00" }),
    ];
    renderConsole("/runs");
    const [first, second] = await rows();
    expect(first).toHaveTextContent(/running.*Say hello.*Ada.*ago/);
    expect(second).toHaveTextContent(/done.*Say hello.*4\.0 s.*you/);
    expect(screen.getByRole("heading", { level: 1, name: "Runs" })).toBeInTheDocument();
    expect(screen.getByText(/Showing all 2 runs/)).toBeInTheDocument();
    await waitFor(() => expect(document.title).toMatch(/Runs · 1 running · Wheelhouse/));
  });

  it.each([
    ["?view=failed", "Failed, last 24 h · Runs · Wheelhouse"],
    ["?q=ferry&state=DONE", "“ferry” · Done · Runs · Wheelhouse"],
    ["?flow=flow_hello&started=24h", "Say hello · last 24 h · Runs · Wheelhouse"],
    ["?q=שלום", "\u2068“שלום”\u2069 · Runs · Wheelhouse"],
  ])("names in the tab what %s narrows it to, and no word in it turns another", async (search, title) => {
    service().override(listRuns, { runs: [aRunSummary({ state: "DONE" })], next_cursor: null });
    renderConsole(`/runs${search}`);
    await waitFor(() => expect(document.title).toBe(title));
  });

  it("tells runs that wait for an answer from those that work", async () => {
    service().override(listRuns, {
      runs: [
        aRunSummary({ run_id: "run_1", waiting_for_people: true }),
        aRunSummary({ run_id: "run_2", waiting_for_people: false }),
      ],
      next_cursor: null,
    });
    renderConsole("/runs");
    const [asking, working] = await rows();
    expect(asking).toHaveTextContent(/needs answer.*Say hello/);
    expect(working).toHaveTextContent(/running.*Say hello/);
    expect(screen.queryByText("not yet")).toBeNull();
  });

  it("says beside a run that failed why it did", async () => {
    const reason = 'The node "check_stock" failed: Error: there are only 7 of 12 anchors.';
    const error = `${reason}\n    at stock.js:12`;
    service().override(listRuns, { runs: [aRunSummary({ state: "FAILED", error })], next_cursor: null });
    renderConsole("/runs");
    await rows();
    expect(screen.getByText(reason)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Say hello" })).toBeInTheDocument();
  });

  it("says on phones too why a run failed", async () => {
    await onPhone(async () => {
      const error = 'The node "check_stock" failed.\n    at stock.js:12';
      service().override(listRuns, { runs: [aRunSummary({ state: "FAILED", error })], next_cursor: null });
      renderConsole("/runs");
      const list = within(await screen.findByRole("list", { name: "Runs" }));
      expect(list.getByRole("link")).toHaveTextContent(/Say hello.*The node "check_stock" failed\.$/);
    });
  });

  it("is not stopped by a reason that is a hundred thousand spaces", async () => {
    const error = `no room${" ".repeat(100_000)}left`;
    service().override(listRuns, { runs: [aRunSummary({ state: "FAILED", error })], next_cursor: null });
    renderConsole("/runs");
    const [row] = await rows();
    expect(row).toHaveTextContent("no room");
    expect(row?.textContent.length).toBeLessThan(1_000);
  });

  it("says where runs are known from only where that is not the same of all", async () => {
    service().state.runs = [aDoneRun(), aRun({ run_id: "run_2" })];
    const { wheelhouse } = renderConsole("/runs");
    await rows();
    expect(screen.queryByRole("columnheader", { name: "Source" })).toBeNull();
    await wheelhouse.api.get()?.history.saw("run_2", {}, "started-here");
    service().state.runs = [aDoneRun(), aDoneRun({ run_id: "run_2" })];
    await screen.findByRole("columnheader", { name: "Source" });
    expect(screen.getByRole("cell", { name: "started here" })).toBeInTheDocument();
    expect(screen.getByRole("cell", { name: "the service" })).toBeInTheDocument();
  });

  it("says who started each run: you, a name where the service tells it, else the id", async () => {
    const creator = { id: "user_bob", first_name: "Bob", last_name: "Marsh", email: null };
    service().override(listRuns, {
      runs: [
        aRunSummary({ run_id: "run_1" }),
        aRunSummary({ run_id: "run_2", user_id: "user_bob", creator }),
        aRunSummary({ run_id: "run_3", user_id: "user_eve" }),
      ],
      next_cursor: null,
    });
    renderConsole("/runs");
    await rows();
    expect(screen.getByRole("cell", { name: "you" })).toBeInTheDocument();
    const bob = screen.getByRole("cell", { name: "Bob Marsh" });
    expect(bob).toHaveAttribute("title", "user_bob");
    expect(screen.getByRole("cell", { name: "user_eve" })).toBeInTheDocument();
  });

  it("says what would be here when there are none, with the next step and its curl line", async () => {
    renderConsole("/runs");
    await screen.findByRole("heading", { name: "No runs yet" });
    expect(screen.getByRole("link", { name: "Choose a flow to start" })).toHaveAttribute("href", "/runs/new");
    expect(screen.getByText(/curl -X POST .*\$WHEELHOUSE_KEY/)).toBeInTheDocument();
  });

  it("offers no flow to start where there is none, and says how one is added", async () => {
    service().state.flows = [];
    renderConsole("/runs");
    expect(await screen.findByText(/There are no flows yet/)).toHaveTextContent("restart the service");
    expect(screen.queryByRole("link", { name: /Choose a flow/ })).toBeNull();
    expect(screen.getByText(/curl -X POST/)).toBeInTheDocument();
  });

  it("says that it reads while nothing has come yet", async () => {
    service().override(listRuns, never);
    renderConsole("/runs");
    await screen.findByText("Loading runs");
  });

  it("C-13: says that a web page came instead of data, once, and can try again", async () => {
    service().override(
      listRuns,
      () => new Response("<html>", { status: 200, headers: { "content-type": "text/html" } }),
      { times: 1 },
    );
    service().state.runs = [aDoneRun()];
    const { user } = renderConsole("/runs");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(/The runs could not be loaded.*The response was a web page/);
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    await user.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  it("says that the key may not see the runs, with the code and the request", async () => {
    service().override(listRuns, new Refusal("forbidden"));
    renderConsole("/runs");
    await screen.findByRole("heading", { name: /no access with this key/ });
    expect(screen.getByText(/403 forbidden/)).toBeInTheDocument();
  });

  it("C-01, C-02: keeps healthy rows and shows an unknown state as it came", async () => {
    const good = aRunSummary({ run_id: "run_ok", state: "PAUSED_FOR_LUNCH" });
    service().override(
      listRuns,
      anyJson({ runs: [good, 17, { ...aRunSummary(), saved_item_name: 5 }], next_cursor: null }),
    );
    renderConsole("/runs");
    const [first, second] = await rows();
    expect(first).toHaveTextContent("PAUSED_FOR_LUNCH");
    expect(second).toHaveTextContent("flow_hello");
    await screen.findByText(/2 values have an unexpected format/);
  });

  it("filters by what its address says, and writes what is chosen into it", async () => {
    service().state.runs = [aDoneRun(), aRun({ run_id: "run_2" })];
    const { user, router } = renderConsole("/runs?view=moving");
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await user.click(screen.getByRole("link", { name: /^All/ }));
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    await user.type(screen.getByRole("searchbox", { name: "Search runs" }), "nothing like it");
    await screen.findByRole("heading", { name: "No matching runs" });
    expect(router.state.location.search).toEqual({ q: "nothing like it" });
    await user.click(screen.getByRole("button", { name: "Show all runs" }));
    await waitFor(async () => expect(await rows()).toHaveLength(2));
  });

  it("moves through the rows by j and k, opens the panel, and closes it by Escape", async () => {
    service().state.runs = [
      aDoneRun(),
      aRun({ run_id: "run_2", created_ts: "2026-11-20T08:16:00.000+00:00" }),
    ];
    const { user, router } = renderConsole("/runs");
    await rows();
    await user.keyboard("j");
    await screen.findByRole("region", { name: "The selected run" });
    expect(router.state.location.search).toEqual({ run: "run_2" });
    await user.keyboard("j");
    expect(router.state.location.search).toEqual({ run: "run_hello" });
    await screen.findByText(/Greeting: done/);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "The selected run" })).toBeNull();
    await user.keyboard("j{Enter}");
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    expect(router.state.location.pathname).toBe("/runs/run_2");
  });

  const pastRuns = (...states: string[]) =>
    states.map((state, n) =>
      aDoneRun({ run_id: `run_${n}`, state, created_ts: `2026-11-20T08:${10 + n}:00.000+00:00` }),
    );

  it("shows in the panel the last runs of the flow, whatever the list is narrowed to", async () => {
    service().state.runs = pastRuns("FAILED", "DONE", "FAILED", "DONE", "DONE");
    renderConsole("/runs?state=FAILED&run=run_2");
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    const panel = within(await screen.findByRole("region", { name: "The selected run" }));
    await panel.findByText("Last 5 runs");
    const bars = panel.getAllByRole("link", { name: /^Run run_/ });
    expect(bars.map((bar) => bar.getAttribute("aria-label"))).toEqual([
      "Run run_0, failed, 5 m 04 s",
      "Run run_1, done, 4 m 04 s",
      "Run run_2, failed, 3 m 04 s",
      "Run run_3, done, 2 m 04 s",
      "Run run_4, done, 1 m 04 s",
    ]);
  });

  it("says that the last runs are those known here where the service lists none", async () => {
    service().state.capabilities = null;
    service().override(listRunsBySavedItem, {});
    service().state.runs = pastRuns("FAILED", "DONE");
    const { wheelhouse } = renderConsole("/runs?run=run_0", { as: { known: { named: null, tried: {} } } });
    await screen.findByRole("heading", { name: "No runs yet" });
    const history = wheelhouse.api.get()?.history;
    for (const run of service().state.runs)
      await history?.saw(run.run_id, { savedItemId: "flow_hello", savedItemName: "Say hello" });
    await screen.findByText("Last 2 runs in local history");
  });

  it("tells all of a run that is opened by its address and is not among those of the list", async () => {
    service().state.runs = pastRuns("DONE", "FAILED");
    renderConsole("/runs?state=FAILED&run=run_0");
    const panel = within(await screen.findByRole("region", { name: "The selected run" }));
    await panel.findByRole("heading", { name: "Say hello" });
    await panel.findByText("Ada");
  });

  it("opens the run of its address on a phone too, in place of the list, with a way back to it", async () => {
    await onPhone(async () => {
      service().state.runs = [aDoneRun()];
      const { user, router } = renderConsole("/runs?run=run_hello");
      const panel = within(await screen.findByRole("region", { name: "The selected run" }));
      await panel.findByRole("heading", { name: "Say hello" });
      await user.click(panel.getByRole("button", { name: "Back to runs" }));
      await waitFor(() => expect(screen.queryByRole("region", { name: "The selected run" })).toBeNull());
      expect(router.state.location.search).toEqual({});
      await screen.findByRole("list", { name: "Runs" });
    });
  });

  it("reads older runs when asked, and none of them twice", async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) =>
        aRunSummary({
          run_id: `run_${from + n}`,
          created_ts: new Date(Date.UTC(2026, 10, 20) - (from + n) * 1000).toISOString(),
        }),
      );
    service().override(listRuns, ({ query }) =>
      query.cursor === "next"
        ? { runs: page(2, 3), next_cursor: null }
        : { runs: page(0, 3), next_cursor: "next" },
    );
    const { user } = renderConsole("/runs");
    await waitFor(async () => expect(await rows()).toHaveLength(3));
    await user.click(screen.getByRole("button", { name: "Show older" }));
    await screen.findByText(/Showing all 5 runs/);
    await waitFor(async () => expect(await rows()).toHaveLength(5));
  });

  it("goes on searching older runs where the service found none among the newest", async () => {
    service().override(listRuns, ({ query }) =>
      query.cursor === "next"
        ? { runs: [aRunSummary({ run_id: "run_old" })], next_cursor: null }
        : { runs: [], next_cursor: "next" },
    );
    const { user } = renderConsole("/runs?q=thimble");
    await screen.findByText(/older ones have not been searched yet/);
    expect(screen.queryByText(/Nothing matches/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Search older" }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await screen.findByText("1 run matching");
  });

  it("says that older runs could not be searched, and tries again", async () => {
    let fails = true;
    service().override(listRuns, ({ query }) => {
      if (query.cursor !== "next") return { runs: [], next_cursor: "next" };
      return fails
        ? new Refusal("internal")
        : { runs: [aRunSummary({ run_id: "run_old" })], next_cursor: null };
    });
    const { user } = renderConsole("/runs?q=thimble");
    await user.click(await screen.findByRole("button", { name: "Search older" }));
    const again = await screen.findByRole("button", { name: "Could not search older. Try again" });
    fails = false;
    await user.click(again);
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  it("shows what this browser knows where the service lists nothing, and says so", async () => {
    service().state.capabilities = null;
    service().state.runs = [aRun(), aRun({ run_id: "run_2" })];
    const { wheelhouse } = renderConsole("/runs", { as: { known: { named: null, tried: {} } } });
    await screen.findByText(/This service does not list runs started elsewhere; paste a run ID/);
    const history = wheelhouse.api.get()?.history;
    await history?.saw("run_hello", { savedItemName: "Say hello" });
    await history?.saw("run_2", {}, "added");
    const row = (await screen.findByRole("cell", { name: "opened here" })).closest("tr");
    await within(row as HTMLElement).findByText("running");
    expect(row).toHaveTextContent("Say hello");
    expect(screen.getByRole("cell", { name: "added by ID" })).toBeInTheDocument();
    expect(service().seen(listRuns)).toHaveLength(0);
    expect(service().seen(getRun).length).toBeGreaterThan(0);
  });
});
