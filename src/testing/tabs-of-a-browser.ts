import { QueryObserver } from "@tanstack/react-query";
import { vi } from "vitest";
import { acrossTabs } from "../console/api/across-tabs.ts";
import { runQueries } from "../console/areas/runs/queries.ts";
// Here already: a clock of tests does not wait for what is loaded on demand.
import "../console/areas/runs/worker/read-run.ts";
import { createRunReader } from "../console/areas/runs/worker/run-reader-client.ts";
import type { SignedIn } from "../console/areas/session/signed-in.ts";
import { browserChannels, browserLocks } from "./browser-tabs.ts";
import { aRun, aRunSummary } from "./builders.ts";
import { signedInWheelhouse, testWorkers, workerEnds } from "./test-wheelhouse.ts";

/** A service that lists runs, and what it was asked. */
export function someService() {
  const state = { names: ["first"], status: 200, body: null as unknown };
  const asked: { readonly url: string; readonly poll: boolean; readonly at: number }[] = [];
  const holds: (() => void)[] = [];
  const service = {
    state,
    asked,
    polls: () => asked.filter(({ poll }) => poll).length,
    /** The next answers come when they are let go. */
    isHeld: false,
    release: () => {
      for (const go of holds.splice(0)) go();
    },
    fetch: (async (input, init) => {
      const headers = new Headers(init?.headers);
      const url = new URL(String(input));
      asked.push({ url: url.pathname + url.search, poll: headers.has("x-wheelhouse-poll"), at: Date.now() });
      if (service.isHeld) {
        await new Promise<void>((resolve, reject) => {
          holds.push(resolve);
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        });
      }
      init?.signal?.throwIfAborted();
      const { names, status } = state;
      if (status !== 200) return new Response("{}", { status });
      const etag = `"${names.join()} ${state.body !== null}"`;
      const known = { etag, date: new Date().toUTCString() };
      if (headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: known });
      const body = url.pathname.endsWith("/get_pl_run")
        ? aRun({ run_id: "run_1", log: names })
        : {
            runs: names.map((name) =>
              aRunSummary({ run_id: `run_${name}`, saved_item_name: name, state: "RUNNING" }),
            ),
            next_cursor: null,
          };
      return new Response(JSON.stringify(state.body ?? body), { headers: known });
    }) satisfies typeof fetch,
  };
  return service;
}

type Service = ReturnType<typeof someService>;

/** One browser with its tabs, all of one person where nothing else is said. */
export function browser(service: Service) {
  const locks = browserLocks();
  const channels = browserChannels();
  const digest = async (text: string) =>
    String([...text].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 1_000_000_007, 7));
  const tab = (as: Partial<SignedIn> = {}) => {
    const own = { polls: 0, isHanging: false, isRefused: false };
    const fetcher: typeof fetch = async (url, init) => {
      if (new Headers(init?.headers).has("x-wheelhouse-poll")) own.polls += 1;
      if (own.isHanging) await new Promise(() => {});
      if (own.isRefused) return new Response("{}", { status: 401 });
      return service.fetch(url, init);
    };
    const { wheelhouse, api } = signedInWheelhouse(as, {
      fetch: fetcher,
      workers: testWorkers({ "run-reader": () => workerEnds["run-reader"](fetcher) }),
    });
    api.acrossTabs = acrossTabs(api, wheelhouse.queries, { locks, channel: channels.channel, digest });
    const list = new QueryObserver(wheelhouse.queries, runQueries.list(api));
    const run = new QueryObserver(wheelhouse.queries, runQueries.run(api, "run_1"));
    return {
      wheelhouse,
      api,
      own,
      list,
      run,
      names: () => list.getCurrentResult().data?.data.runs?.map((one) => one?.saved_item_name),
      lines: () => api.keep(createRunReader).log("run_1").getLines(0, 100),
      checkedAt: () => list.getCurrentResult().dataUpdatedAt,
      error: () => list.getCurrentResult().error,
      act: (work: () => Promise<unknown>) =>
        wheelhouse.queries
          .getMutationCache()
          .build(wheelhouse.queries, { mutationFn: work })
          .execute(undefined),
      hide: (hidden: boolean) => {
        const { situation } = api.polling;
        situation.set({ ...situation.get(), hidden });
      },
    };
  };
  return { tab, channels };
}

/** Lets time pass. */
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets time pass until it is so, at most for the time in which every tab must have asked. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let left = 5_000; left > 0 && !isSo(); left -= 5) await pass(5);
  if (!isSo()) throw new Error(`Never so: ${isSo}`);
}

/** Two tabs on the list of runs, the second opened 700 ms after the first; both have read it. */
export async function twoOnTheList(service = someService()) {
  const { tab, channels } = browser(service);
  const first = tab();
  first.list.subscribe(() => {});
  await pass(700);
  const second = tab();
  second.list.subscribe(() => {});
  await pass(10);
  service.asked.length = 0;
  return { service, first, second, channels };
}
