// @vitest-environment jsdom
import "../../../api/jitless.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { getRun, type Run } from "../../../../contract/run.ts";
import { aDoneRun, aRun } from "../../../../testing/builders.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { signedInWheelhouse, workerEnds } from "../../../../testing/test-wheelhouse.ts";
import type { Api } from "../../../lib/api.tsx";
import type { WorkerEnd } from "../../../lib/workers/calls.ts";
import { SearchTooSlow } from "../../runs/worker/run-reader-client.ts";
import type { FindOrder, Hit, SearchKind } from "./hit.ts";
import { createSearcher, type Searcher } from "./search-client.ts";

const service = mockServicePerTest();
const signal = new AbortController().signal;
const everything: readonly SearchKind[] = ["inputs", "outputs", "log", "messages", "tools", "artifacts"];
let api: Api;
let searcher: Searcher;

beforeEach(() => {
  ({ api } = signedInWheelhouse());
  searcher = createSearcher(api, () => workerEnds.search());
});

const become = (run: Run) => {
  service().state.runs = [run];
};

async function find(text: string, part: Partial<FindOrder> & { regex?: boolean } = {}) {
  const hits: Hit[] = [];
  const { regex = false, ...order } = part;
  const looked = await searcher.find(
    { key: "r", fields: [], query: { text, regex }, kinds: everything, most: 50, ...order },
    (more) => hits.push(...more),
    signal,
  );
  return { hits, looked };
}

describe("searching a run that the page never sees", () => {
  it("finds lines by their number, and outputs by their name", async () => {
    become(
      aDoneRun({
        log: [
          "2026-11-20T08:15:00.010Z [Read] Lane 7 is given",
          "lane 8",
          "2026-11-20T08:15:00.010Z [Lane] ok",
        ],
        outputs: { report: "All\nlanes\nLANE 7 too", rows: { lane: 7 } },
      }),
    );
    expect(await searcher.readRun("r", "run_hello", signal)).toEqual({ state: "DONE", lines: 3 });
    const { hits, looked } = await find("lane");
    expect(hits).toEqual([
      { kind: "outputs", at: "report", label: "report", text: "lanes", marks: [[0, 4]], lines: 2 },
      { kind: "outputs", at: "rows", label: "rows", text: '"lane": 7', marks: [[1, 5]], lines: 1 },
      { kind: "log", at: "1", label: "Read", text: "Lane 7 is given", marks: [[0, 4]], lines: 1 },
      { kind: "log", at: "2", label: "", text: "lane 8", marks: [[0, 4]], lines: 1 },
      { kind: "log", at: "3", label: "Lane", text: "ok", marks: [], lines: 1 },
    ]);
    expect(looked).toEqual({ lines: 3, texts: 2, hits: 5 });
    expect((await find("lane", { kinds: ["outputs"] })).hits.map(({ kind }) => kind)).toEqual([
      "outputs",
      "outputs",
    ]);
    expect((await find("lane [78]", { regex: true, kinds: ["log"] })).hits.map(({ at }) => at)).toEqual([
      "1",
      "2",
    ]);
  });

  it("tells the first hits of very many, and how many there are", async () => {
    become(aDoneRun({ log: Array.from({ length: 60_000 }, (_, line) => `line ${line}`) }));
    await searcher.readRun("r", "run_hello", signal);
    const { hits, looked } = await find("line", { most: 3 });
    expect(hits.map(({ at }) => at)).toEqual(["1", "2", "3"]);
    expect(looked).toEqual({ lines: 60_000, texts: 1, hits: 60_000 });
  });

  it("asks only for what is new of a run that goes on", async () => {
    become(aRun({ log: ["a"] }));
    await searcher.readRun("r", "run_hello", signal);
    await searcher.readRun("r", "run_hello", signal);
    expect(service().seen(getRun).at(-1)?.headers.get("if-none-match")).not.toBeNull();
    expect((await find("a")).hits).toHaveLength(1);
    become(aRun({ log: ["a", "ab"] }));
    expect(await searcher.readRun("r", "run_hello", signal)).toEqual({ state: "RUNNING", lines: 2 });
    expect((await find("a")).hits).toHaveLength(2);
  });

  it("says why a run cannot be read", async () => {
    service().override(getRun, new Refusal("forbidden"));
    await expect(searcher.readRun("r", "run_hello", signal)).rejects.toMatchObject({ status: 403 });
    expect((await find("a")).looked).toBeNull();
  });

  it("lets go of what was used longest ago when there is no room, and says so", async () => {
    searcher = createSearcher(api, () => workerEnds.search(5_000));
    const field = (text: string) => ({ kind: "messages" as const, at: "m.1", label: "Message", text });
    searcher.hold("first", [field(`word ${"x".repeat(1_000)}`)]);
    searcher.hold("second", [field(`word ${"x".repeat(1_000)}`)]);
    expect((await find("word", { key: "first" })).hits).toHaveLength(1);
    searcher.hold("third", [field(`word ${"x".repeat(500)}`)]);
    expect((await find("word", { key: "second" })).looked).toBeNull();
    expect((await find("word", { key: "first" })).hits).toHaveLength(1);
    expect((await find("word", { key: "third" })).hits).toHaveLength(1);
  });

  it("holds a conversation of many texts, whichever way they are handed over", async () => {
    const fields = Array.from({ length: 50 }, (_, at) => ({
      kind: "messages" as const,
      at: `m${at}.1`,
      label: "Message",
      text: `message ${at} ${"x".repeat(20_000)}`,
    }));
    searcher.hold("conversation", fields);
    searcher.hold("conversation", fields);
    const { looked } = await find("message", { key: "conversation" });
    expect(looked).toEqual({ lines: 0, texts: 50, hits: 50 });
  });
});

describe("a pattern that never comes to an end", () => {
  it("is ended with its worker; what was held is gone and can be read again", async () => {
    let isCaught = true;
    const spawn = (): WorkerEnd => {
      const port = workerEnds.search();
      return {
        ...port,
        // What a worker does that is caught in one line: it hears nothing any more.
        postMessage: (message, transfer) => {
          if (!("method" in message && message.method === "find" && isCaught))
            port.postMessage(message, transfer);
        },
      };
    };
    searcher = createSearcher(api, spawn, 30);
    become(aDoneRun());
    await searcher.readRun("r", "run_hello", signal);
    const { epoch } = searcher;
    await expect(find("(a+)+$", { regex: true })).rejects.toBeInstanceOf(SearchTooSlow);
    expect(searcher.epoch).toBeGreaterThan(epoch);
    isCaught = false;
    expect((await find("Ada")).looked).toBeNull();
    await searcher.readRun("r", "run_hello", signal);
    expect((await find("Ada")).hits.length).toBeGreaterThan(0);
  });

  it("is refused at once where it is none, and stops where it is not wanted any more", async () => {
    await expect(find("(", { regex: true })).rejects.toThrow(SyntaxError);
    const stopped = new AbortController();
    become(aDoneRun({ log: Array.from({ length: 60_000 }, (_, line) => `line ${line}`) }));
    await searcher.readRun("r", "run_hello", signal);
    const order: FindOrder = {
      key: "r",
      fields: [],
      query: { text: "line", regex: true },
      kinds: everything,
      most: 50,
    };
    const running = searcher.find(order, () => stopped.abort(new Error("enough")), stopped.signal);
    await expect(running).rejects.toThrow("enough");
  });
});
