import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { downloadFiles } from "../../../../../contract/files.ts";
import { getRunDetails, killPipeline, listRuns, startPipeline } from "../../../../../contract/runs.ts";
import { aDoneRun, aRun, someRunDetails } from "../../../../../testing/builders.ts";
import { Refusal } from "../../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../../testing/render-console.tsx";

const service = mockServicePerTest();

/** Runs of `Say hello`, the newest first: `run_0`, `run_1`, … */
function hasRuns(count: number, make: typeof aRun = aRun, from = 0) {
  service().state.runs.push(
    ...Array.from({ length: count }, (_, at) =>
      make({
        run_id: `run_${from + at}`,
        created_ts: new Date(Date.UTC(2026, 10, 20, 8) - (from + at) * 60_000).toISOString(),
      }),
    ),
  );
}

/** The box of one run; the first pointer or key fetches what selecting needs. */
const boxOf = (id: string) => screen.findByRole("checkbox", { name: new RegExp(`, ${id}$`) });
const all = () => screen.findByRole("checkbox", { name: "Select all that are shown" });
const acts = () => screen.findByRole("region", { name: "Selected runs" });
const said = () =>
  screen
    .getAllByRole("status")
    .map((one) => one.textContent)
    .join(" ");

async function openList(options?: Parameters<typeof renderConsole>[1], address = "/runs") {
  const made = renderConsole(address, options);
  await screen.findByRole("table", { name: "Runs" });
  // As whoever uses it does: the pointer comes first.
  await made.user.hover(screen.getByRole("table", { name: "Runs" }));
  await all();
  return made;
}

const act = async (user: UserEvent, name: RegExp | string) =>
  user.click(within(await acts()).getByRole("button", { name }));
const confirm = async (user: UserEvent, name: RegExp | string) =>
  user.click(await within(await screen.findByRole("dialog")).findByRole("button", { name }));
const results = async (name: RegExp | string) => screen.findByRole("region", { name });
const killed = () =>
  service()
    .seen(killPipeline)
    .map(({ body }) => (body as { run_id: string }).run_id);

describe("several runs are selected", () => {
  it("by their boxes, all at once, and as a range with shift", async () => {
    hasRuns(5, aDoneRun);
    const { user, router } = await openList();
    await user.click(await boxOf("run_1"));
    expect(await acts()).toHaveTextContent("1 done run selected");
    await user.keyboard("{Shift>}");
    await user.click(await boxOf("run_3"));
    await user.keyboard("{/Shift}");
    expect(await acts()).toHaveTextContent("3 done runs selected");
    expect(await all()).toBePartiallyChecked();
    await user.click(await all());
    expect(await acts()).toHaveTextContent("5 done runs selected");
    await user.click(await all());
    await waitFor(() => expect(screen.queryByRole("region", { name: "Selected runs" })).toBeNull());
    // Selecting opens nothing, and a copied address selects nothing for somebody else.
    expect(router.state.location.search).toEqual({});
  });

  it("by keyboard only: x, ranges with J and K, a to the acts, and Escape", async () => {
    hasRuns(5, aDoneRun);
    const { user, router } = renderConsole("/runs");
    const table = await screen.findByRole("table", { name: "Runs" });
    /** Presses a key and waits until the keyboard stands on this run. */
    const press = async (key: string, id: string) => {
      await user.keyboard(key);
      await waitFor(() => expect(table.querySelector("[data-selected]")).toHaveAttribute("data-run", id));
    };
    await press("j", "run_0");
    await all();
    await press("x", "run_0");
    expect(await boxOf("run_0")).toBeChecked();
    await press("j", "run_1");
    await press("j", "run_2");
    await press("J", "run_3");
    await press("J", "run_4");
    expect(await acts()).toHaveTextContent("4 done runs selected");
    expect(await boxOf("run_1")).not.toBeChecked();
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
    const sheet = await screen.findByRole("dialog", { name: "Keyboard" });
    expect(sheet).toHaveTextContent("Select the runx");
    expect(sheet).toHaveTextContent("Select on to the next runJ");
  });

  it("and stay so while the list is read again; what leaves the list leaves the selection, in words", async () => {
    hasRuns(3);
    const { user, wheelhouse } = await openList(undefined, "/runs?view=moving");
    await user.click(await boxOf("run_0"));
    await user.click(await boxOf("run_2"));
    const readAgain = () =>
      wheelhouse.queries.refetchQueries({ predicate: ({ queryKey }) => queryKey[1] === listRuns.name });
    service().state.runs.push(aRun({ run_id: "run_new", created_ts: "2026-11-20T09:00:00.000+00:00" }));
    await readAgain();
    await boxOf("run_new");
    expect(await acts()).toHaveTextContent("2 running runs selected");
    Object.assign(service().state.runs[2] ?? {}, {
      state: "DONE",
      finished_ts: "2026-11-20T09:00:00.000+00:00",
    });
    await readAgain();
    await waitFor(async () =>
      expect(await acts()).toHaveTextContent(
        /1 running run selected.*1 run left the list, and the selection with it/,
      ),
    );
    expect(said()).toMatch(/1 run left the list/);
    expect(await boxOf("run_0")).toBeChecked();
  });
});

describe("several runs are killed", () => {
  it("after a question that names how many and what goes with them; what cannot be killed is left out", async () => {
    hasRuns(2);
    hasRuns(1, aDoneRun, 2);
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Kill 2 runs…");
    const dialog = await screen.findByRole("dialog", { name: "Kill 2 runs?" });
    expect(dialog).toHaveTextContent(/every sub-run that they have started/);
    expect(dialog).toHaveTextContent(/1 of the selected is left out/);
    expect(killed()).toEqual([]);
    await confirm(user, "Kill 2 runs");
    const list = await results("Kill 2 runs");
    await waitFor(() => expect(list).toHaveTextContent("2 of 2 asked to end"));
    expect(killed().sort()).toEqual(["run_0", "run_1"]);
    expect(said()).toContain("Kill 2 runs: 2 of 2 asked to end");
    // It stays until it is closed.
    await user.click(within(list).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Kill 2 runs" })).toBeNull());
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
    await act(user, "Kill 5 runs…");
    await confirm(user, "Kill 5 runs");
    const list = await results("Kill 5 runs");
    await waitFor(() => expect(list).toHaveTextContent("2 of 5 asked to end, 1 had ended already, 2 failed"));
    expect(list).toHaveTextContent("Only its owner ends run_1.");
    expect(list).toHaveTextContent(/403 forbidden, request req_/);
    isRefused.clear();
    await user.click(within(list).getByRole("button", { name: "Try 2 again" }));
    await waitFor(() => expect(list).toHaveTextContent("4 of 5 asked to end, 1 had ended already"));
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
    await act(user, "Kill 6 runs…");
    await confirm(user, "Kill 6 runs");
    const dialog = await screen.findByRole("dialog", { name: "Your key is no longer accepted" });
    isGone = false;
    const before = killed().length;
    await user.type(within(dialog).getByLabelText(/^Key for/), "another-key-of-ada-0123456789");
    await user.click(within(dialog).getByRole("button", { name: "Sign in and go on" }));
    const list = await results("Kill 6 runs");
    await waitFor(() => expect(list).toHaveTextContent("6 of 6 asked to end"));
    expect(new Set(killed()).size).toBe(6);
    // Only what was refused went out a second time: a 401 did nothing.
    expect(killed().length - before).toBe(4);
  });

  it("C-38: a double click asks once for each", async () => {
    hasRuns(3);
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Kill 3 runs…");
    await user.dblClick(
      within(await screen.findByRole("dialog")).getByRole("button", { name: "Kill 3 runs" }),
    );
    const list = await results("Kill 3 runs");
    await waitFor(() => expect(list).toHaveTextContent("3 of 3 asked to end"));
    expect(killed().sort()).toEqual(["run_0", "run_1", "run_2"]);
  });

  it("four at a time; what has not begun can be stopped, and gone on with", async () => {
    hasRuns(6);
    let answer: () => void = () => {};
    const wait = new Promise<void>((resolve) => {
      answer = resolve;
    });
    service().override(killPipeline, async ({ body }) => {
      await wait;
      return { success: true, run_id: body.run_id };
    });
    const { user } = await openList();
    await user.click(await all());
    await act(user, "Kill 6 runs…");
    await confirm(user, "Kill 6 runs");
    const list = await results("Kill 6 runs");
    await waitFor(() => expect(killed()).toHaveLength(4));
    expect(within(list).getByRole("button", { name: "Close" })).toHaveAttribute("aria-disabled", "true");
    await user.click(within(list).getByRole("button", { name: "Stop the other 2" }));
    answer();
    await waitFor(() => expect(list).toHaveTextContent("4 of 6 asked to end, 2 not begun"));
    expect(killed()).toHaveLength(4);
    await user.click(within(list).getByRole("button", { name: "Go on with 2" }));
    await waitFor(() => expect(list).toHaveTextContent("6 of 6 asked to end"));
    expect(new Set(killed()).size).toBe(6);
    expect(killed()).toHaveLength(6);
  });

  it("and the results are there again when the list is left and opened again", async () => {
    hasRuns(2);
    service().override(killPipeline, new Refusal("unavailable"));
    const { user, router } = await openList();
    await user.click(await all());
    await act(user, "Kill 2 runs…");
    await confirm(user, "Kill 2 runs");
    await waitFor(async () => expect(await results("Kill 2 runs")).toHaveTextContent("2 failed"));
    await router.navigate({ to: "/agents" });
    expect(await screen.findByRole("heading", { level: 1, name: "Agents" })).toBeInTheDocument();
    await router.navigate({ to: "/runs" });
    expect(await results("Kill 2 runs")).toHaveTextContent("2 failed");
  });
});

describe("several runs are run again", () => {
  const again = async (user: UserEvent, count: number) => {
    await user.click(await all());
    await act(user, `Run ${count} again…`);
    return screen.findByRole("dialog", { name: count === 1 ? "Run it again?" : `Run ${count} again?` });
  };
  const bodies = () =>
    service()
      .seen(startPipeline)
      .map(({ body }) => body);

  it("each with all that it was given, in its own team, whatever its row shows", async () => {
    hasRuns(2, aDoneRun);
    service().override(getRunDetails, ({ params }) =>
      someRunDetails({
        run_id: params.run_id,
        inputs: { name: `whole ${params.run_id}` },
        project_id: params.run_id === "run_1" ? "team_harbor" : null,
      }),
    );
    const { user, router } = await openList();
    const dialog = await again(user, 2);
    expect(await within(dialog).findByText("whole run_1")).toBeInTheDocument();
    await user.dblClick(await within(dialog).findByRole("button", { name: "Start 2 runs" }));
    const list = await results("Run 2 again");
    await waitFor(() => expect(list).toHaveTextContent("2 of 2 started"));
    expect(bodies()).toHaveLength(2);
    expect(bodies()).toEqual(expect.arrayContaining([{ name: "whole run_0" }, { name: "whole run_1" }]));
    const teams = service()
      .seen(startPipeline)
      .map(({ url, body }) => [(body as { name: string }).name, url.searchParams.get("project_id")]);
    expect(new Map(teams as [string, string][])).toEqual(
      new Map([
        ["whole run_0", null],
        ["whole run_1", "team_harbor"],
      ]),
    );
    await user.click(within(list).getByRole("link", { name: "run_3" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/runs/run_3"));
  });

  it("those whose inputs cannot be read are named and left out, and can be read again", async () => {
    hasRuns(2, aDoneRun);
    let isBroken = true;
    service().override(getRunDetails, ({ params }) =>
      isBroken && params.run_id === "run_1"
        ? new Refusal("forbidden", { message: "Not yours to read." })
        : someRunDetails({ run_id: params.run_id, inputs: { name: params.run_id } }),
    );
    const { user } = await openList();
    const dialog = await again(user, 2);
    expect(await within(dialog).findByText(/Left out: .*Not yours to read\./)).toBeInTheDocument();
    expect(within(dialog).getByRole("button", { name: "Start 1 run" })).toBeInTheDocument();
    isBroken = false;
    await user.click(within(dialog).getByRole("button", { name: "Read again" }));
    await user.click(await within(dialog).findByRole("button", { name: "Start 2 runs" }));
    await waitFor(async () => expect(await results("Run 2 again")).toHaveTextContent("2 of 2 started"));
  });

  it("without an answer it may have started: the same start is tried again, not another one", async () => {
    hasRuns(1, aDoneRun);
    const { user } = await openList();
    await again(user, 1);
    service().override(startPipeline, () => Response.error(), { times: 1 });
    await confirm(user, "Start 1 run");
    const list = await results("Run 1 again");
    await waitFor(() =>
      expect(list).toHaveTextContent(/It may have started; trying again starts it at most once/),
    );
    await user.click(within(list).getByRole("button", { name: "Try 1 again" }));
    await waitFor(() => expect(list).toHaveTextContent("1 of 1 started"));
    const keys = service()
      .seen(startPipeline)
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
  });
});

describe("files of several runs", () => {
  it("come as one zip for each run, of its own name; a run without files says so", async () => {
    hasRuns(1, (part) => aDoneRun({ ...part, files: [{ name: "a.csv", size: 1, media_type: "text/csv" }] }));
    hasRuns(1, (part) => aDoneRun({ ...part, files: [] }), 1);
    hasRuns(1, aRun, 2);
    service().override(
      downloadFiles,
      new Response(new Blob(["zip"]), { headers: { "content-type": "application/zip" } }),
    );
    const saved: string[] = [];
    URL.createObjectURL = () => "blob:test";
    URL.revokeObjectURL = () => {};
    const save = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    try {
      const { user } = await openList();
      await user.click(await all());
      await act(user, "Download 2");
      const list = await results("Download the files of 2 runs");
      await waitFor(() => expect(list).toHaveTextContent("1 of 2 saved, 1 without files"));
      expect(saved).toEqual(["run_0.zip"]);
      expect(service().seen(downloadFiles)[0]?.body).toEqual({
        run_id: "run_0",
        file_names: ["a.csv"],
        user_id: "user_ada",
      });
    } finally {
      save.mockRestore();
    }
  });
});

describe("on a service that lists no runs", () => {
  const stranger = { as: { known: { named: null, tried: {} } } };

  it("those that this browser knows are acted on; what it did not start itself is not guessed", async () => {
    service().state.capabilities = null;
    hasRuns(1, aDoneRun);
    hasRuns(1, aDoneRun, 1);
    const { wheelhouse, user } = renderConsole("/runs", stranger);
    await screen.findByRole("heading", { name: "No runs known yet" });
    const history = wheelhouse.api.get()?.history;
    const ended = { state: "DONE", createdTs: "2026-11-20T08:00:00Z", finishedTs: "2026-11-20T08:00:04Z" };
    const own = await history?.begin({
      savedItemId: "flow_hello",
      savedItemName: "Say hello",
      inputs: { name: "Grace" },
      projectId: null,
    });
    await history?.started(own?.id ?? "", "run_0");
    await history?.saw("run_0", { last: ended });
    await history?.saw("run_1", { savedItemId: "flow_hello", savedItemName: "Say hello", last: ended });
    await screen.findByRole("table", { name: "Runs" });
    await user.hover(screen.getByRole("table", { name: "Runs" }));
    await user.click(await all());
    // Which files a run wrote is not told here, so nothing offers them.
    expect(within(await acts()).queryByRole("button", { name: /Download/ })).toBeNull();
    await act(user, "Run 2 again…");
    const dialog = await screen.findByRole("dialog", { name: "Run 2 again?" });
    expect(
      await within(dialog).findByText(/Left out: what run_1 was given is not known here/),
    ).toBeInTheDocument();
    // Nothing came back, and this service knows no keys: starting it again could start it twice.
    service().override(startPipeline, () => Response.error(), { times: 1 });
    await user.click(within(dialog).getByRole("button", { name: "Start 1 run" }));
    const list = await results("Run 1 again");
    await waitFor(() => expect(list).toHaveTextContent(/It may have started: look for it in the list/));
    expect(within(list).queryByRole("button", { name: /Try/ })).toBeNull();
    expect(
      service()
        .seen(startPipeline)
        .map(({ body }) => body),
    ).toEqual([{ name: "Grace" }]);
    expect(service().seen(getRunDetails)).toHaveLength(0);
  });

  it("a run in an unknown state is neither killed nor run again", async () => {
    service().state.capabilities = null;
    hasRuns(1, () => aRun({ run_id: "run_0", state: "PAUSED" as "RUNNING" }));
    const { wheelhouse, user } = renderConsole("/runs", stranger);
    await screen.findByRole("heading", { name: "No runs known yet" });
    await wheelhouse.api.get()?.history.saw("run_0", { savedItemId: "flow_hello" });
    await screen.findByRole("table", { name: "Runs" });
    await user.hover(screen.getByRole("table", { name: "Runs" }));
    await user.click(await boxOf("run_0"));
    expect(within(await acts()).getAllByRole("button")).toHaveLength(1);
  });
});
