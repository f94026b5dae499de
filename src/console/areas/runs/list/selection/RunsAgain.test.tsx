import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { downloadFiles } from "../../../../../contract/files.ts";
import { getRunDetails } from "../../../../../contract/run.ts";
import { startPipeline } from "../../../../../contract/start-pipeline.ts";
import { aDoneRun, aRun, someRunDetails } from "../../../../../testing/builders.ts";
import { Refusal } from "../../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../../testing/render-console.tsx";
import { severalRunsOn } from "../../../../../testing/several-runs.tsx";

const service = mockServicePerTest();
const { hasRuns, boxOf, all, acts, openList, act, confirm, results } = severalRunsOn(service);

describe("several runs are run again", () => {
  const again = async (user: UserEvent, count: number) => {
    await user.click(await all());
    await act(user, `Run ${count} again…`);
    return screen.findByRole("dialog", { name: count === 1 ? "Run again?" : `Run ${count} again?` });
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
    await within(dialog).findByText("whole run_1");
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
    await within(dialog).findByText(/Left out: .*Not yours to read\./);
    await within(dialog).findByRole("button", { name: "Start 1 run" });
    isBroken = false;
    await user.click(within(dialog).getByRole("button", { name: "Reload" }));
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
    await waitFor(() => expect(list).toHaveTextContent(/It may have started\. You can safely try again/));
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
      const list = await results("Download files of 2 runs");
      await waitFor(() => expect(list).toHaveTextContent("1 of 2 saved, 1 without files"));
      expect(saved).toEqual(["Say-hello-Ada-run_0.zip"]);
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
    await screen.findByRole("heading", { name: "No runs yet" });
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
    await within(dialog).findByText(/Left out: the inputs of run_1 are unknown/);
    // Nothing came back, and this service knows no keys: starting it again could start it twice.
    service().override(startPipeline, () => Response.error(), { times: 1 });
    await user.click(within(dialog).getByRole("button", { name: "Start 1 run" }));
    const list = await results("Run 1 again");
    await waitFor(() => expect(list).toHaveTextContent(/It may have started\. Check the list/));
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
    await screen.findByRole("heading", { name: "No runs yet" });
    await wheelhouse.api.get()?.history.saw("run_0", { savedItemId: "flow_hello" });
    await screen.findByRole("table", { name: "Runs" });
    await user.hover(screen.getByRole("table", { name: "Runs" }));
    await user.click(await boxOf("run_0"));
    expect(within(await acts()).getAllByRole("button")).toHaveLength(1);
  });
});
