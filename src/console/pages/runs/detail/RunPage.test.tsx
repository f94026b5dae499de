import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { downloadFiles } from "../../../../contract/files.ts";
import { getRun, getRunDetails, killPipeline, listRunsBySavedItem } from "../../../../contract/runs.ts";
import { aDoneRun, aRun, aRunSummary, someRunDetails } from "../../../../testing/builders.ts";
import { anyJson, never } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const main = async () => within(await screen.findByRole("main"));

describe("the page of a run", () => {
  it("shows state, ticking duration, inputs, and outputs when the run is done", async () => {
    service().state.runs = [aDoneRun()];
    renderConsole("/runs/run_hello");
    expect(await screen.findByRole("heading", { level: 2, name: "Say hello" })).toBeInTheDocument();
    expect((await main()).getByText("Done")).toBeInTheDocument();
    expect((await main()).getAllByText("4.0 s")[0]).toBeInTheDocument();
    expect(
      within(await screen.findByRole("region", { name: "greeting" })).getByText("Hello, Ada"),
    ).toBeVisible();
    expect(screen.getByText("Ada")).toBeVisible();
    await waitFor(() => expect(document.title).toBe("done · Say hello · Wheelhouse"));
    expect(screen.queryByRole("button", { name: "Kill run" })).toBeNull();
    expect(screen.getByRole("link", { name: "Run again" })).toHaveAttribute(
      "href",
      "/runs/new?flow=flow_hello&from=run_hello",
    );
  });

  it("shows outputs in their own form, and in another one when asked", async () => {
    const rows = [
      { month: "January", units: 120 },
      { month: "February", units: 95 },
    ];
    service().state.runs = [aDoneRun({ outputs: { rows, report: "# Sales\n\n**120** units" } })];
    const { user } = renderConsole("/runs/run_hello");
    const table = await screen.findByRole("table", { name: "rows" }, { timeout: 5_000 });
    expect(within(table).getByRole("row", { name: "February 95" })).toBeInTheDocument();
    expect(await screen.findByRole("heading", { name: "Sales" })).toBeInTheDocument();
    const report = within(screen.getByRole("region", { name: "report" }));
    await user.click(report.getByRole("radio", { name: "Text" }));
    expect(report.getByText(/# Sales/)).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "Sales" })).toBeNull();
  });

  it("shows the answer as it came, and gives it as a curl line without the key", async () => {
    service().state.runs = [aDoneRun()];
    const { user } = renderConsole("/runs/run_hello");
    await user.click(await screen.findByRole("button", { name: "More" }, { timeout: 5_000 }));
    await user.click(await screen.findByRole("menuitem", { name: "Copy as curl" }));
    const copied = await navigator.clipboard.readText();
    expect(copied).toMatch(/^curl '.*get_pl_run\?run_id=run_hello&user_id=user_ada'.*\$WHEELHOUSE_KEY/);
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Show the raw answer" }));
    const dialog = await screen.findByRole("dialog", { name: "Raw answer" }, { timeout: 5_000 });
    expect(await within(dialog).findByText(/"state":"DONE"/)).toBeInTheDocument();
  });

  it("says why it failed, in the service's words", async () => {
    service().state.runs = [aRun({ state: "FAILED", finished_ts: "2026-11-20T08:15:01.000+00:00" })];
    service().override(
      getRunDetails,
      someRunDetails(aRunSummary({ state: "FAILED", error: "Fetch gave up after 3 tries" })),
    );
    renderConsole("/runs/run_hello");
    expect(await screen.findByRole("alert")).toHaveTextContent("Fetch gave up after 3 tries");
  });

  it("reads nodes from the log and says that they are read from it", async () => {
    service().state.runs = [aDoneRun()];
    renderConsole("/runs/run_hello");
    const nodes = within(await screen.findByRole("region", { name: "Nodes" }));
    expect(nodes.getByText(/the service does not report nodes/)).toBeInTheDocument();
    expect(nodes.getByRole("button", { name: /Greeting/ })).toBeInTheDocument();
  });

  it("kills after a question that names what goes with it, with one request, and says what was asked for", async () => {
    service().state.runs = [aRun()];
    service().override(getRunDetails, {
      ...someRunDetails(),
      sub_runs: [{ ...aRunSummary({ run_id: "run_sub" }), node: "Inner" }],
    });
    service().override(killPipeline, { success: true, run_id: "run_hello" });
    const { user } = renderConsole("/runs/run_hello");
    await screen.findByText(/Killing this run stops its sub-runs too/);
    await user.click(await screen.findByRole("button", { name: "Kill run" }));
    const dialog = await screen.findByRole("dialog", { name: /Kill this run of Say hello/ });
    expect(dialog).toHaveTextContent("the run and its sub-run Say hello");
    await user.dblClick(within(dialog).getByRole("button", { name: "Kill run" }));
    expect((await screen.findAllByText("Kill requested…")).length).toBeGreaterThan(0);
    expect(service().seen(killPipeline)).toHaveLength(1);
    expect(service().seen(killPipeline)[0]?.body).toEqual({ run_id: "run_hello", user_id: "user_ada" });
    Object.assign(service().state.runs[0] ?? {}, {
      state: "TERMINATED",
      finished_ts: "2026-11-20T08:16:00.000+00:00",
    });
    expect(await screen.findByText("1 m 00 s", undefined, { timeout: 5_000 })).toBeInTheDocument();
    expect(screen.queryByText("Kill requested…")).toBeNull();
  });

  it("says that it waits while no line has come", async () => {
    service().state.runs = [aRun({ state: "STARTED", log: [] })];
    renderConsole("/runs/run_hello");
    expect(await screen.findByText(/No line yet/)).toBeInTheDocument();
    expect(await screen.findByText("They come when the run is done.")).toBeInTheDocument();
  });

  it("C-02: shows an unknown state as it came, offers no act for it, and keeps reading", async () => {
    service().state.runs = [aRun({ state: "PAUSED" })];
    renderConsole("/runs/run_hello");
    expect(await screen.findByText("PAUSED")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Kill/ })).toBeNull();
    await waitFor(() => expect(service().seen(getRun).length).toBeGreaterThan(1), { timeout: 5_000 });
  });

  it("gives the same answer for a run that is hidden and one that does not exist", async () => {
    renderConsole("/runs/run_of_nobody");
    expect(await screen.findByRole("heading", { name: "No run with this id for you" })).toBeInTheDocument();
    expect((await main()).getByText("Personal key")).toBeInTheDocument();
    expect((await main()).getByRole("link", { name: "All runs" })).toHaveAttribute("href", "/runs");
  });

  it("says when the key may not see it", async () => {
    service().override(getRun, new Refusal("forbidden"));
    renderConsole("/runs/run_hello");
    expect(
      await screen.findByRole("heading", { name: /The run may not be seen with this key/ }),
    ).toBeInTheDocument();
  });

  it("says that it reads while nothing has come", async () => {
    service().override(getRun, never);
    renderConsole("/runs/run_hello");
    expect(await screen.findByText("Reading the run")).toBeInTheDocument();
  });

  it("keeps what was read when a later read fails, dates it, and names the reason", async () => {
    service().state.runs = [aRun()];
    renderConsole("/runs/run_hello");
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    service().override(getRun, () => new Response("bad gateway", { status: 502 }));
    expect(await screen.findByText(/As read at \d\d:/, undefined, { timeout: 5_000 })).toBeInTheDocument();
    expect(screen.getByRole("heading", { level: 2, name: "Say hello" })).toBeInTheDocument();
  });

  it("C-01, C-11: lives with missing fields, values of other types and impossible times", async () => {
    service().override(
      getRun,
      anyJson({
        run_id: "run_hello",
        state: "DONE",
        created_ts: "0001-01-01T00:00:00Z",
        finished_ts: 5,
        log: ["x"],
        outputs: null,
      }),
    );
    renderConsole("/runs/run_hello");
    expect(await screen.findByText("Done")).toBeInTheDocument();
    expect(screen.getByText("0001-01-01T00:00:00Z")).toBeInTheDocument();
    expect(screen.getByText(/One value cannot be read/)).toBeInTheDocument();
    expect(document.body).not.toHaveTextContent(/NaN|Invalid/);
  });

  it("C-04: shows markup in outputs as text", async () => {
    const hostile = '<img src=x onerror="window.__xss = 1"><script>window.__xss = 1</script>';
    service().state.runs = [aDoneRun({ outputs: { [hostile]: hostile, list: [hostile] } })];
    renderConsole("/runs/run_hello");
    expect((await screen.findAllByText(hostile)).length).toBeGreaterThan(1);
    expect(document.querySelector("img, script[src=x]")).toBeNull();
    expect(window).not.toHaveProperty("__xss");
  });

  it("downloads files by their names, and says when a team key may not", async () => {
    service().state.runs = [
      aDoneRun({ files: [{ name: "summary.md", size: 1_240, media_type: "text/markdown" }] }),
    ];
    service().override(downloadFiles, new Refusal("personal_credential_required"));
    const { user } = renderConsole("/runs/run_hello");
    expect(await screen.findByText("1.2 kB")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Download as a zip" }));
    expect(await screen.findByText("The files could not be downloaded")).toBeInTheDocument();
    expect(service().seen(downloadFiles)[0]?.body).toEqual({
      run_id: "run_hello",
      file_names: ["summary.md"],
      user_id: "user_ada",
    });
  });

  it("shows inputs that this browser sent where the service tells none, else says that they are not known", async () => {
    service().state.capabilities = null;
    service().override(listRunsBySavedItem, {});
    service().state.runs = [aDoneRun()];
    renderConsole("/runs/run_hello", { as: { known: { named: null, tried: {} } } });
    expect(await screen.findByText(/this service does not tell the inputs of a run/)).toBeInTheDocument();
    expect(service().seen(getRunDetails)).toHaveLength(0);
  });
});
