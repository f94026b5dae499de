// @vitest-environment jsdom
import "./jitless.ts";
import { QueryObserver } from "@tanstack/react-query";
import { HttpResponse } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getRun, killPipeline } from "../../contract/run.ts";
import { listRuns } from "../../contract/runs.ts";
import { startPipeline } from "../../contract/start-pipeline.ts";
import { aDoneRun, aRun, aRunSummary } from "../../testing/builders.ts";
import { anyJson } from "../../testing/msw.ts";
import { Refusal } from "../../testing/msw-state.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { testClock } from "../../testing/test-clock.ts";
import { signedInWheelhouse } from "../../testing/test-wheelhouse.ts";
import { flowQueries } from "../areas/runs/flow-queries.ts";
import { runMutations } from "../areas/runs/mutations.ts";
import { runQueries } from "../areas/runs/queries.ts";
import { createRunReader } from "../areas/runs/worker/run-reader-client.ts";
import type { Wheelhouse } from "../areas/session/wheelhouse.tsx";
import type { Api } from "../lib/api.tsx";
import { describeQuery } from "./read.ts";

const service = mockServicePerTest();
let wheelhouse: Wheelhouse;
let api: Api;
let stops: (() => void)[] = [];

beforeEach(() => {
  // Polls come when a test says so; all else runs in its own time.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  sessionStorage.clear();
  localStorage.clear();
  ({ wheelhouse, api } = signedInWheelhouse());
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  wheelhouse.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Watches a query as a mounted page does. */
function watch<T>(options: unknown) {
  const observer = new QueryObserver<T>(wheelhouse.queries, options as never);
  let renders = 0;
  observer.trackProp("data");
  stops.push(
    observer.subscribe(() => {
      renders += 1;
    }),
  );
  return { current: () => observer.getCurrentResult(), renders: () => renders };
}

function hideTab(hidden: boolean): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(hidden ? "hidden" : "visible");
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Lets the next poll of each watched query come; how long that is, the policies say. */
const nextPoll = () => vi.advanceTimersToNextTimerAsync();
/** Lets an hour of polls come. */
const anHour = () => vi.advanceTimersByTimeAsync(3_600_000);

const runReads = () => service().seen(getRun).length;

describe("a run that is watched", () => {
  const watchHello = () =>
    watch<{ data: { state: string }; settled: boolean }>(runQueries.run(api, "run_hello"));
  const chip = () => {
    const query = wheelhouse.queries.getQueryCache().find(runQueries.run(api, "run_hello"));
    return query && describeQuery(api, query).word;
  };

  it("is polled until it has ended and was read once more, and then never again", async () => {
    service().state.runs = [aRun()];
    const seen = watchHello();
    await expect.poll(() => seen.current().data?.data.state).toBe("RUNNING");
    expect(chip()).toBe("Live");
    service().state.runs = [aDoneRun({ finished_ts: new Date().toISOString() })];
    await nextPoll();
    await expect.poll(() => seen.current().data?.data.state).toBe("DONE");
    expect(seen.current().data?.settled).toBe(false);
    await nextPoll();
    await expect.poll(() => seen.current().data?.settled).toBe(true);
    expect(chip()).toBe("Up to date");
    await anHour();
    expect(runReads()).toBe(3);
  });

  it("costs no render while nothing changes", async () => {
    service().state.runs = [aRun()];
    const seen = watchHello();
    await expect.poll(() => seen.current().data).toBeDefined();
    const data = seen.current().data;
    const renders = seen.renders();
    for (const reads of [2, 3, 4]) {
      await nextPoll();
      await expect.poll(runReads).toBe(reads);
      await expect.poll(() => seen.current().fetchStatus).toBe("idle");
    }
    expect(seen.current().data).toBe(data);
    expect(seen.renders()).toBe(renders);
  });

  it("C-20: keeps what was read while the service is away, says so, and resumes itself", async () => {
    service().state.runs = [aRun()];
    const seen = watchHello();
    await expect.poll(() => seen.current().data).toBeDefined();
    service().override(getRun, () => HttpResponse.error(), { times: 1 });
    await nextPoll();
    await expect.poll(() => seen.current().error).toMatchObject({ failure: { kind: "network" } });
    expect(seen.current().data?.data.state).toBe("RUNNING");
    expect(chip()).toBe("Offline");
    await nextPoll();
    await expect.poll(() => seen.current().error).toBeNull();
    expect(chip()).toBe("Live");
  });

  it("C-22: stops when it is not there any more, and its neighbours go on", async () => {
    service().state.runs = [aRun(), aRun({ run_id: "run_2" })];
    const gone = watchHello();
    const stays = watch(runQueries.run(api, "run_2"));
    await expect.poll(() => gone.current().data && stays.current().data).toBeDefined();
    service().state.runs = [aRun({ run_id: "run_2" })];
    const of = (id: string) =>
      service()
        .seen(getRun)
        .filter(({ url }) => url.searchParams.get("run_id") === id).length;
    while (of("run_hello") < 2) await nextPoll();
    await expect.poll(() => gone.current().error).toMatchObject({ failure: { status: 404 } });
    const reads = of("run_2");
    await anHour();
    await expect.poll(() => of("run_2")).toBeGreaterThan(reads);
    expect(of("run_hello")).toBe(2);
  });

  it("C-28: rests in a hidden tab and is read once when the tab is shown", async () => {
    service().state.runs = [aRun()];
    const seen = watchHello();
    await expect.poll(() => seen.current().data).toBeDefined();
    hideTab(true);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(runReads()).toBe(1);
    expect(chip()).toBe("Paused");
    hideTab(false);
    await expect.poll(runReads).toBe(2);
    expect(chip()).toBe("Live");
  });

  it("obeys the person's setting at once", async () => {
    service().state.runs = [aRun()];
    const seen = watchHello();
    await expect.poll(() => seen.current().data).toBeDefined();
    api.polling.setSetting("paused");
    await anHour();
    expect(runReads()).toBe(1);
    expect(localStorage.getItem("wheelhouse:polling")).toBe("paused");
    api.polling.setSetting("auto");
    await nextPoll();
    await expect.poll(runReads).toBe(2);
  });

  it("C-36: 500 of them stay within 5 requests a second", async () => {
    const clock = testClock(Date.now());
    ({ wheelhouse, api } = signedInWheelhouse({}, { clock }));
    const ids = Array.from({ length: 500 }, (_, i) => `run_${i}`);
    service().state.runs = ids.map((run_id) => aRun({ run_id }));
    const known = await api.keep(createRunReader).read("run_0", {});
    for (const id of ids) wheelhouse.queries.setQueryData(runQueries.run(api, id).queryKey, known);
    for (const id of ids) watch(runQueries.run(api, id));
    for (const second of [1, 2, 3]) {
      await expect.poll(runReads).toBe(1 + 5 * second);
      await clock.pass(999);
      expect(runReads()).toBe(1 + 5 * second);
      await clock.pass(1);
    }
  });
});

describe("acts on runs", () => {
  const start = {
    savedItemId: "flow_hello",
    savedItemName: "Say hello",
    inputs: { name: "Ada" },
    projectId: null,
  };
  const run = <T, V>(options: { mutationFn?: unknown }, variables: V) =>
    wheelhouse.queries
      .getMutationCache()
      .build(wheelhouse.queries, options as never)
      .execute(variables as never) as Promise<T>;

  it("a start is in the history before the call goes out, with the id that keeps it from happening twice", async () => {
    let known: unknown;
    service().override(startPipeline, () => {
      known = api.history.runs.get()[0];
      return { run_id: "run_7", saved_item_id: "flow_hello", url: "http://localhost/runs/run_7" };
    });
    expect(await run(runMutations.start(api), start)).toEqual({ runId: "run_7", savedItemId: "flow_hello" });
    expect(known).toMatchObject({ start: "sending", inputs: { name: "Ada" } });
    const [sent] = service().seen(startPipeline);
    expect(sent?.headers.get("idempotency-key")).toBe(api.history.runs.get()[0]?.id);
    expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual({
      saved_item_id: "flow_hello",
      user_id: "user_ada",
    });
    expect(sent?.body).toEqual({ name: "Ada" });
    expect(api.history.runs.get()[0]).toMatchObject({ runId: "run_7", start: "started" });
  });

  it("C-20: a start that got no answer is not sent again, and is kept as unclear", async () => {
    service().override(startPipeline, () => HttpResponse.error());
    await expect(run(runMutations.start(api), start)).rejects.toMatchObject({ failure: { kind: "network" } });
    expect(service().seen(startPipeline)).toHaveLength(1);
    expect(api.history.runs.get()[0]).toMatchObject({ runId: null, start: "unclear" });
  });

  it("a refused start is kept with the service's words", async () => {
    service().override(startPipeline, new Refusal("not_found", { message: "There is no such flow." }));
    await expect(run(runMutations.start(api), start)).rejects.toMatchObject({ failure: { status: 404 } });
    expect(api.history.runs.get()[0]).toMatchObject({ start: "refused", error: "There is no such flow." });
  });

  it("a start belongs to a team only when the person says so", async () => {
    await run(runMutations.start(api), { ...start, projectId: "team_harbor" });
    expect(service().seen(startPipeline)[0]?.url.searchParams.get("project_id")).toBe("team_harbor");
  });

  it("a kill is seen by the lists and the run at once", async () => {
    service().state.runs = [aRun()];
    const list = watch<{ data: { runs: { state: string }[] } }>(runQueries.list(api));
    await expect.poll(() => list.current().data?.data.runs[0]?.state).toBe("RUNNING");
    expect(await run(runMutations.kill(api), "run_hello")).toEqual({ ended: true });
    await expect.poll(() => list.current().data?.data.runs[0]?.state).toBe("TERMINATED");
    expect(service().seen(killPipeline)).toHaveLength(1);
    expect(await run(runMutations.kill(api), "run_hello")).toEqual({ ended: false });
  });
});

describe("a list", () => {
  it("sends its filters, and shares one request among all who ask for the same", async () => {
    service().state.runs = [aRun(), aDoneRun({ run_id: "run_2" })];
    const filters = { state: "DONE", search: "run_2" };
    const [a, b] = [watch(runQueries.list(api, filters)), watch(runQueries.list(api, filters))];
    await expect.poll(() => a.current().data && b.current().data).toBeDefined();
    const [first, ...more] = service().seen(listRuns);
    expect(Object.fromEntries(first?.url.searchParams ?? [])).toEqual({ ...filters, page_size: "100" });
    expect(more).toEqual([]);
  });

  it("costs no render while nothing changes, also where the service has no ETags", async () => {
    service().override(listRuns, () => anyJson({ runs: [aRunSummary()], next_cursor: null }));
    const seen = watch(runQueries.list(api));
    await expect.poll(() => seen.current().data).toBeDefined();
    const data = seen.current().data;
    for (const reads of [2, 3]) {
      await nextPoll();
      await expect.poll(() => service().seen(listRuns).length).toBe(reads);
      await expect.poll(() => seen.current().fetchStatus).toBe("idle");
    }
    expect(seen.current().data).toBe(data);
  });

  it("is not read again by a page whose loader has just read it", async () => {
    await wheelhouse.queries.ensureQueryData(runQueries.list(api));
    const seen = watch(runQueries.list(api));
    expect(seen.current()).toMatchObject({ status: "success", fetchStatus: "idle" });
    expect(service().seen(listRuns)).toHaveLength(1);
  });

  it("C-22: tries again by itself only what may pass", async () => {
    service().override(listRuns, new Refusal("forbidden"));
    const seen = watch(runQueries.list(api));
    await expect.poll(() => seen.current().error).toMatchObject({ failure: { status: 403 } });
    await anHour();
    expect(service().seen(listRuns)).toHaveLength(1);
    const flows = watch<{ data: { saved_items: unknown[] } }>(flowQueries.list(api));
    await expect.poll(() => flows.current().data?.data.saved_items).toHaveLength(1);
  });
});
