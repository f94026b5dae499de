import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { downloadFiles } from "../../../../contract/files.ts";
import { getRun, getRunDetails, killPipeline, listRunsBySavedItem } from "../../../../contract/run.ts";
import { aDoneRun, aRun, aRunSummary, someRunDetails } from "../../../../testing/builders.ts";
import { tagLike } from "../../../../testing/hostile/payloads.ts";
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
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    await (await main()).findByText("Done");
    await (await main()).findAllByText("4.0 s");
    await within(await screen.findByRole("region", { name: "greeting" })).findByText("Hello, Ada");
    await screen.findByText("Ada");
    await waitFor(() => expect(document.title).toBe("done · Say hello · Wheelhouse"));
    expect(screen.queryByRole("button", { name: "Stop run" })).toBeNull();
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
    const table = await screen.findByRole("table", { name: "rows" });
    await within(table).findByRole("row", { name: "February 95" });
    await screen.findByRole("heading", { name: "Sales" });
    const report = within(screen.getByRole("region", { name: "report" }));
    await user.click(report.getByRole("radio", { name: "Text" }));
    expect(report.getByText(/# Sales/)).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "Sales" })).toBeNull();
  });

  it("shows the answer as it came, and gives it as a curl line without the key", async () => {
    service().state.runs = [aDoneRun()];
    const { user } = renderConsole("/runs/run_hello");
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Copy as curl" }));
    const copied = () => navigator.clipboard.readText();
    await expect
      .poll(copied)
      .toMatch(/^curl '.*get_pl_run\?run_id=run_hello&user_id=user_ada'.*\$WHEELHOUSE_KEY/);
    // The page is out of reach until the menu has closed, which may be after the copy.
    await user.click(await screen.findByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Show raw response" }));
    const dialog = await screen.findByRole("dialog", { name: "Raw response" });
    await within(dialog).findByText(/"state":"DONE"/);
  });

  it("says why a run has not begun, in the words of its log, and no longer once it runs", async () => {
    const why =
      "50 runs and conversations of this team are already running; this one goes on as soon as one of them ends";
    const log = [`2026-11-20T08:15:00.010Z [run] waiting: ${why}`];
    service().state.runs = [aRun({ state: "STARTED", log })];
    renderConsole("/runs/run_hello");
    await (await main()).findByText("Not started");
    expect(await screen.findByText(`Waiting: ${why}.`)).toHaveAttribute("role", "status");
    service().state.runs = [
      aRun({ state: "RUNNING", log: [...log, "2026-11-20T08:16:00.010Z [Name] given: Ada"] }),
    ];
    await (await main()).findByText("Running");
    await waitFor(() => expect(screen.queryByText(`Waiting: ${why}.`)).toBeNull());
  });

  it("says at the node and over the run that a node waits for a free place, and no longer once it has one", async () => {
    const waits = "waiting for a free place, 12 before it";
    const log = ["2026-11-20T08:15:00.010Z [Count] started", `2026-11-20T08:15:01.010Z [Count] ${waits}`];
    service().state.runs = [aRun({ state: "RUNNING", log })];
    renderConsole("/runs/run_hello");
    const banner = `Count is ${waits}.`;
    expect(await (await main()).findByText(banner)).toHaveAttribute("role", "status");
    const nodes = within(screen.getByRole("region", { name: "Nodes" }));
    expect(nodes.getByRole("button", { name: /^Count ?waits, 12 before it$/ })).toBeInTheDocument();
    expect(nodes.getByText("1 waiting")).toBeInTheDocument();
    const got = "2026-11-20T08:15:09.010Z [Count] waited 8.0 s for a free place";
    service().state.runs = [aRun({ state: "RUNNING", log: [...log, got] })];
    await waitFor(() => expect(screen.queryByText(banner)).toBeNull());
    expect(nodes.getByText("1 running")).toBeInTheDocument();
    expect(nodes.queryByText("waits, 12 before it")).toBeNull();
  });

  it.each([
    [12, "Waiting for a free place, 12 before it."],
    [0, "Waiting for a free place, next in line."],
  ])(
    "says that it waits for a free place with %d before it, and no longer once it goes on",
    async (places_before, words) => {
      service().state.runs = [aRun({ state: "STARTED", log: [] })];
      service().override(getRunDetails, someRunDetails({ state: "STARTED", places_before }));
      renderConsole("/runs/run_hello");
      expect(await (await main()).findByText(words)).toHaveAttribute("role", "status");
      service().override(getRunDetails, someRunDetails({ state: "RUNNING", places_before: null }));
      await waitFor(() => expect(screen.queryByText(words)).toBeNull());
    },
  );

  it("says why it failed, in the service's words", async () => {
    service().state.runs = [aRun({ state: "FAILED", finished_ts: "2026-11-20T08:15:01.000+00:00" })];
    service().override(
      getRunDetails,
      someRunDetails(aRunSummary({ state: "FAILED", error: "Fetch gave up after 3 tries" })),
    );
    renderConsole("/runs/run_hello");
    expect(await screen.findByRole("alert")).toHaveTextContent("Fetch gave up after 3 tries");
  });

  const lines = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => `2026-11-20T08:15:01.000Z [Name] read ${from + at + 1}`);
  const failure = "2026-11-20T08:15:02.000Z [Greeting] failed: no paper";
  const failed = aRun({
    state: "FAILED",
    finished_ts: "2026-11-20T08:15:09.000+00:00",
    log: [...lines(120), failure, ...lines(120, 121)],
  });
  const lineLink = (line: number) => screen.queryByRole("button", { name: `Link to line ${line}` });

  it("opens a failed run at its first error, which is marked, and leads there from its banner and its node", async () => {
    service().state.runs = [failed];
    const { user, router } = renderConsole("/runs/run_hello");
    const mark = await screen.findByText("first error");
    expect(mark.closest("li")).toHaveTextContent("failed: no paper");
    expect(lineLink(121)).toBeInTheDocument();
    expect(lineLink(1)).toBeNull();
    expect(router.state.location.search).toEqual({});
    const banner = within(await screen.findByRole("alert"));
    const link = banner.getByRole("link", { name: "First error: line 121" });
    expect(link).toHaveAttribute("href", "/runs/run_hello?line=121");
    const nodes = within(screen.getByRole("region", { name: "Nodes" }));
    await user.click(nodes.getByRole("button", { name: /Greeting/ }));
    await waitFor(() => expect(router.state.location.search).toEqual({ line: 121 }));
  });

  it("says of a failed run what its log says where the service gives no reason", async () => {
    service().state.capabilities = null;
    service().override(listRunsBySavedItem, {});
    service().state.runs = [failed];
    renderConsole("/runs/run_hello", { as: { known: { named: null, tried: {} } } });
    const banner = await screen.findByRole("alert");
    expect(banner).toHaveTextContent("Run failed");
    expect(banner).toHaveTextContent("Greeting: failed: no paper");
  });

  it("opens a failed run at the line of its address, and the banner leads to the error each time", async () => {
    service().state.runs = [failed];
    const { user, router } = renderConsole("/runs/run_hello?line=3");
    const link = await screen.findByRole("link", { name: "First error: line 121" });
    expect(lineLink(3)).toBeInTheDocument();
    expect(lineLink(121)).toBeNull();
    await user.click(link);
    await waitFor(() => expect(lineLink(121)).toBeInTheDocument());
    expect(router.state.location.search).toEqual({ line: 121 });
    const log = screen.getByRole("region", { name: "Log" });
    log.scrollTop = 0;
    fireEvent.scroll(log);
    expect(lineLink(121)).toBeNull();
    await user.click(link);
    await waitFor(() => expect(lineLink(121)).toBeInTheDocument());
  });

  it("leaves the reader where they are when a run fails while it is watched, and the banner leads to the error", async () => {
    service().state.runs = [aRun({ log: lines(120) })];
    const { user } = renderConsole("/runs/run_hello");
    await screen.findByText("read 120");
    await user.click(screen.getByRole("switch", { name: "Follow" }));
    const log = screen.getByRole("region", { name: "Log" });
    log.scrollTop = 0;
    fireEvent.scroll(log);
    await screen.findByText("read 1");
    service().state.runs = [failed];
    const link = await screen.findByRole("link", { name: "First error: line 121" });
    expect(screen.getByText("read 1")).toBeInTheDocument();
    expect(lineLink(121)).toBeNull();
    await user.click(link);
    await waitFor(() => expect(lineLink(121)).toBeInTheDocument());
  });

  it("shows another person the same lines by its address: levels, nodes and what is looked for", async () => {
    service().state.runs = [failed];
    const { user, router } = renderConsole("/runs/run_hello");
    await screen.findByText("first error");
    await user.click(await screen.findByRole("radio", { name: "Errors 1" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ level: "error" }));
    await user.click(screen.getByRole("button", { name: /Use regular expression/ }));
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "no pa.er");
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ level: "error", q: "no pa.er", regex: true }),
    );
  });

  it("narrows its log to what its address says", async () => {
    service().state.runs = [failed];
    renderConsole("/runs/run_hello?nodes=Greeting&q=paper");
    await screen.findByText("1 of 1");
    expect(screen.getByRole("searchbox", { name: "Search the log" })).toHaveValue("paper");
    expect(within(screen.getByRole("region", { name: "Log" })).getAllByRole("listitem")).toHaveLength(1);
  });

  it("reads nodes from the log and says that they are reconstructed from it", async () => {
    service().state.runs = [aDoneRun()];
    renderConsole("/runs/run_hello");
    const nodes = within(await screen.findByRole("region", { name: "Nodes" }));
    await nodes.findByText("reconstructed from the log");
    await nodes.findByRole("button", { name: /Greeting/ });
  });

  it("kills after a question that names what goes with it, with one request, and says what was asked for", async () => {
    service().state.runs = [aRun()];
    service().override(getRunDetails, {
      ...someRunDetails(),
      sub_runs: [{ ...aRunSummary({ run_id: "run_sub" }), node: "Inner" }],
    });
    service().override(killPipeline, { success: true, run_id: "run_hello" });
    const { user } = renderConsole("/runs/run_hello");
    await screen.findByText(/Stopping this run also stops its sub-runs/);
    await user.click(await screen.findByRole("button", { name: "Stop run" }));
    const dialog = await screen.findByRole("dialog", { name: /Stop this run of Say hello/ });
    await within(dialog).findByText(/the run and its sub-run/);
    expect(dialog).toHaveTextContent("the run and its sub-run Say hello");
    await user.dblClick(within(dialog).getByRole("button", { name: "Stop run" }));
    expect((await screen.findAllByText("Stop requested…")).length).toBeGreaterThan(0);
    await waitFor(() => expect(service().seen(killPipeline)).toHaveLength(1));
    expect(service().seen(killPipeline)[0]?.body).toEqual({ run_id: "run_hello", user_id: "user_ada" });
    Object.assign(service().state.runs[0] ?? {}, {
      state: "TERMINATED",
      finished_ts: "2026-11-20T08:16:00.000+00:00",
    });
    await screen.findByText("1 m 00 s");
    await waitFor(() => expect(screen.queryByText("Stop requested…")).toBeNull());
  });

  it("says by name who started it, with the id to copy", async () => {
    service().state.runs = [aDoneRun({ user_id: "user_bob" })];
    const creator = { id: "user_bob", first_name: "Bob", last_name: "Marsh", email: null };
    service().override(getRunDetails, someRunDetails({ user_id: "user_bob", creator }));
    const { user } = renderConsole("/runs/run_hello");
    expect((await screen.findByText("Bob Marsh")).parentElement).toHaveAttribute("title", "user_bob");
    await user.click(screen.getByRole("button", { name: /^Copy user ID/ }));
    await expect.poll(() => navigator.clipboard.readText()).toBe("user_bob");
  });

  it("says that it waits while no line has come", async () => {
    service().state.runs = [aRun({ state: "STARTED", log: [] })];
    renderConsole("/runs/run_hello");
    await screen.findByText(/No log yet/);
    await screen.findByText("Available when the run finishes.");
  });

  it("C-02: shows an unknown state as it came, offers no act for it, and keeps reading", async () => {
    service().state.runs = [aRun({ state: "PAUSED" })];
    renderConsole("/runs/run_hello");
    await screen.findByText("PAUSED");
    expect(screen.queryByRole("button", { name: /^Stop/ })).toBeNull();
    await waitFor(() => expect(service().seen(getRun).length).toBeGreaterThan(1));
  });

  it("gives the same answer for a run that is hidden and one that does not exist", async () => {
    renderConsole("/runs/run_of_nobody");
    await screen.findByRole("heading", { name: "Run not found, or you have no access" });
    await (await main()).findByText("Personal key");
    expect(await (await main()).findByRole("link", { name: "All runs" })).toHaveAttribute("href", "/runs");
  });

  it("says when the key may not see it", async () => {
    service().override(getRun, new Refusal("forbidden"));
    renderConsole("/runs/run_hello");
    await screen.findByRole("heading", { name: /The run: no access with this key/ });
  });

  it("says that it reads while nothing has come", async () => {
    service().override(getRun, never);
    renderConsole("/runs/run_hello");
    await screen.findByText("Loading the run");
  });

  it("keeps what was read when a later read fails, dates it, and names the reason", async () => {
    service().state.runs = [aRun()];
    renderConsole("/runs/run_hello");
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    service().override(getRun, () => new Response("bad gateway", { status: 502 }));
    await screen.findByText(/Last updated at \d\d:/);
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
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
    await screen.findByText("Done");
    await screen.findByText("0001-01-01T00:00:00Z");
    await screen.findByText(/One value has an unexpected format/);
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

  it("says the day of a run that is not of today, in its header and where its lines have clock times", async () => {
    const began = Date.now() - 3 * 86_400_000;
    const at = (ms: number) => new Date(began + ms).toISOString();
    service().state.runs = [
      aDoneRun({ created_ts: at(0), finished_ts: at(4_000), log: [`${at(0)} [Name] started`] }),
    ];
    const { user } = renderConsole("/runs/run_hello");
    const days = /^\d{1,2} [A-Z][a-z]+(?: \d{4})?, \d\d:\d\d:\d\d$/;
    const times = await (await main()).findAllByText(days, { selector: "header time" });
    expect(times).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "View" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Local time" }));
    await (await main()).findByText(/^\d{1,2} [A-Z][a-z]+(?: \d{4})?, \d\d:\d\d:\d\d\.\d{3}$/);
  });

  it("shows what looks like tags in an output as the text that it is", async () => {
    service().state.runs = [aDoneRun({ outputs: { report: tagLike.text } })];
    renderConsole("/runs/run_hello");
    const report = await screen.findByRole("region", { name: "report" });
    await within(report).findByText("Promise<string>");
    for (const seen of tagLike.seen) expect(report.textContent).toContain(seen);
  });

  it("takes typed names of files where the service lists none, with the outputs that read like one", async () => {
    const { files: _, ...run } = aDoneRun({ outputs: { file: "summary.md", said: "Hello. There" } });
    service().override(getRun, anyJson(run));
    service().override(downloadFiles, new Refusal("not_found"));
    const { user } = renderConsole("/runs/run_hello");
    const names = await screen.findByRole("textbox", { name: "File names" });
    expect(names).toHaveValue("summary.md");
    await user.type(names, "{Enter} rates.csv ");
    await user.click(screen.getByRole("button", { name: "Download 2 as a zip" }));
    await screen.findByText("The files could not be downloaded");
    expect(service().seen(downloadFiles)[0]?.body).toEqual({
      run_id: "run_hello",
      file_names: ["summary.md", "rates.csv"],
      user_id: "user_ada",
    });
  });

  it("asks for no names where the service says that a run wrote none", async () => {
    service().state.runs = [aDoneRun({ files: [] })];
    renderConsole("/runs/run_hello");
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    await (await main()).findByText("Done");
    expect(screen.queryByRole("textbox", { name: "File names" })).toBeNull();
  });

  it("downloads files by their names, and says when a team key may not", async () => {
    service().state.runs = [
      aDoneRun({ files: [{ name: "summary.md", size: 1_240, media_type: "text/markdown" }] }),
    ];
    service().override(downloadFiles, new Refusal("personal_credential_required"));
    const { user } = renderConsole("/runs/run_hello");
    await screen.findByText("1.2 kB");
    await user.click(screen.getByRole("button", { name: "Download as a zip" }));
    await screen.findByText("The files could not be downloaded");
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
    await screen.findByText(/this service does not report inputs/);
    expect(service().seen(getRunDetails)).toHaveLength(0);
  });
});
