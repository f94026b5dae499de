// @vitest-environment jsdom
import "../../../api/jitless.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { getRun, type Run } from "../../../../contract/run.ts";
import { aDoneRun, aRun } from "../../../../testing/builders.ts";
import { anyJson, never } from "../../../../testing/msw.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { signedInWheelhouse, testWorkers, workerEnds } from "../../../../testing/test-wheelhouse.ts";
import { ConsoleError } from "../../../api/errors.ts";
import type { Api } from "../../../lib/api.tsx";
import type { WorkerEnd } from "../../../lib/workers/calls.ts";
import { createRunReader, SearchTooSlow } from "./run-reader-client.ts";

const service = mockServicePerTest();
const id = "run_hello";
let api: Api;

beforeEach(() => {
  ({ api } = signedInWheelhouse());
});

const runs = () => api.keep(createRunReader);
const lines = () => runs().log(id).getLines(0, Number.MAX_SAFE_INTEGER);
const become = (run: Run) => {
  service().state.runs = [run];
};

describe("reading a run", () => {
  it("gives its fields at once and its lines by window", async () => {
    become(
      aRun({ log: ["a", "b", "c", "d"], files: [{ name: "f.txt", size: 3, media_type: "text/plain" }] }),
    );
    const { data, log, moving, settled } = await runs().read(id, {});
    expect(data.state).toBe("RUNNING");
    expect("log" in data).toBe(false);
    expect([log.length, moving, settled]).toEqual([4, true, false]);
    expect(runs().log(id).getLines(1, 2)).toEqual(["b", "c"]);
    expect(runs().log(id).getLines(3, 100)).toEqual(["d"]);
    expect(runs().log(id).getLines(9, 1)).toEqual([]);
  });

  it("costs no body when nothing is new, and gives the same answer", async () => {
    become(aRun());
    const first = await runs().read(id, {});
    const second = await runs().read(id, { poll: true });
    const [, again] = service().seen(getRun);
    expect(again?.headers.get("if-none-match")).toBe(first.etag);
    expect(again?.headers.get("x-wheelhouse-poll")).toBe("1");
    expect(second.data).toBe(first.data);
    expect(second.log).toEqual(first.log);
  });

  it("adds what is new and tells whoever watches the log", async () => {
    const log = runs().log(id);
    let told = 0;
    log.subscribe(() => {
      told += 1;
    });
    become(aRun({ log: ["one"] }));
    await runs().read(id, {});
    become(aRun({ log: ["one", 'two "quoted" ü', "three"] }));
    await runs().read(id, {});
    expect(lines()).toEqual(["one", 'two "quoted" ü', "three"]);
    expect([log.lastChange, log.replacements, told]).toEqual(["appended", 0, 2]);
  });

  it("shows a log that shrinks or is rewritten as it is now, and says so", async () => {
    const log = runs().log(id);
    become(aRun({ log: ["a", "b", "c"] }));
    await runs().read(id, {});
    become(aRun({ log: ["a", "b"] }));
    await runs().read(id, {});
    expect([lines(), log.lastChange, log.replacements]).toEqual([["a", "b"], "replaced", 1]);
    become(aRun({ log: ["a", "B", "c", "d"] }));
    await runs().read(id, {});
    expect([lines(), log.replacements]).toEqual([["a", "B", "c", "d"], 2]);
    become(aRun({ log: [] }));
    await runs().read(id, {});
    expect([lines(), log.replacements]).toEqual([[], 3]);
  });

  it("brings few new lines and what they mean as one change", async () => {
    become(aRun({ log: ["2026-11-20T08:15:04.200Z [reader] started"] }));
    await runs().read(id, {});
    const log = runs().log(id);
    const told: number[][] = [];
    log.subscribe(() => told.push([log.length, log.facts.length, log.facts.errors]));
    become(aRun({ log: [...lines(), "2026-11-20T08:15:05.200Z [reader] ERROR no berth"] }));
    await runs().read(id, {});
    expect(told).toEqual([[2, 2, 1]]);
  });

  it("keeps up with hundreds of small additions", async () => {
    const log: string[] = [];
    for (let i = 0; i < 300; i += 1) {
      log.push(`line ${i} ${"x".repeat(i)}`);
      become(aRun({ log: [...log] }));
      await runs().read(id, {});
    }
    expect(lines()).toEqual(log);
  });

  it("reads once more after the end, unless it ended long ago", async () => {
    const finished_ts = new Date().toISOString();
    become(aRun());
    await runs().read(id, {});
    become(aDoneRun({ finished_ts }));
    expect(await runs().read(id, {})).toMatchObject({ moving: false, settled: false });
    expect(await runs().read(id, {})).toMatchObject({ moving: false, settled: true });
    become(aDoneRun({ run_id: "run_old" }));
    expect(await runs().read("run_old", {})).toMatchObject({ moving: false, settled: true });
  });

  it("C-02: goes on with a state that it does not know", async () => {
    become(aRun({ state: "PAUSED" }));
    expect(await runs().read(id, {})).toMatchObject({ data: { state: "PAUSED" }, moving: true });
  });

  it("C-01: loses only the field that cannot be read, and shows lines that are no text", async () => {
    service().override(getRun, () =>
      anyJson({ ...aRun(), outputs: "none", finished_ts: 5, log: ["a", 7, null] }),
    );
    const { data, damage } = await runs().read(id, {});
    expect(damage.map(({ path }) => path)).toEqual(expect.arrayContaining([["outputs"], ["finished_ts"]]));
    expect(data.run_id).toBe(id);
    expect(lines()).toEqual(["a", "7", "null"]);
  });

  it("C-13: takes a proxy's page and a cut answer for what they are, and keeps the lines", async () => {
    become(aRun({ log: ["kept"] }));
    await runs().read(id, {});
    service().override(
      getRun,
      () => new Response("<html>502", { headers: { "content-type": "text/html" } }),
      { times: 1 },
    );
    await expect(runs().read(id, {})).rejects.toMatchObject({
      failure: { kind: "not-the-service", impostor: "html" },
    });
    service().override(getRun, () => new Response('{"run_id":"run_hello","log":["ke'), { times: 1 });
    await expect(runs().read(id, {})).rejects.toMatchObject({ failure: { impostor: "cut-off" } });
    service().override(getRun, () => anyJson([]), { times: 1 });
    await expect(runs().read(id, {})).rejects.toMatchObject({
      failure: { kind: "contract" },
      endpoint: "getRun",
    });
    expect(lines()).toEqual(["kept"]);
  });

  it("passes a refusal on with its code", async () => {
    await expect(runs().read("nobody", {})).rejects.toMatchObject({
      failure: { kind: "http", status: 404 },
    });
    await expect(runs().read("nobody", {})).rejects.toBeInstanceOf(ConsoleError);
  });

  it("C-31: stops in the worker too when nobody waits any more", async () => {
    service().override(getRun, never, { times: 1 });
    const controller = new AbortController();
    const reading = runs().read(id, { signal: controller.signal });
    await expect.poll(() => service().seen(getRun).length).toBe(1);
    controller.abort(new Error("left the page"));
    await expect(reading).rejects.toThrow("left the page");
    become(aRun({ log: ["next"] }));
    await runs().read(id, {});
    expect(lines()).toEqual(["next"]);
  });

  it("C-31: is not confused by an answer that came when nobody waited any more", async () => {
    let deaf = false;
    let unheard = 0;
    const spawn = (): WorkerEnd => {
      const port = workerEnds["run-reader"]();
      const listen: WorkerEnd["listen"] = (take, onDeath) =>
        port.listen((message) => {
          if (deaf) unheard += "answer" in message ? 1 : 0;
          else take(message);
        }, onDeath);
      return { ...port, listen };
    };
    ({ api } = signedInWheelhouse({}, { workers: testWorkers({ "run-reader": spawn }) }));
    become(aRun({ log: ["a"] }));
    await runs().read(id, {});
    become(aRun({ log: ["a", "b", "c"] }));
    deaf = true;
    const controller = new AbortController();
    const lost = runs().read(id, { signal: controller.signal });
    await expect.poll(() => unheard).toBe(1);
    controller.abort(new Error("left the page"));
    await expect(lost).rejects.toThrow("left the page");
    deaf = false;
    become(aRun({ log: ["a", "b", "c", "d"] }));
    await runs().read(id, {});
    expect(lines()).toEqual(["a", "b", "c", "d"]);
    expect(runs().log(id).replacements).toBe(0);
  });

  it("starts a new worker after one died, and reads everything anew", async () => {
    let die: (() => void) | null = null;
    const spawn = (): WorkerEnd => {
      const port = workerEnds["run-reader"]();
      return {
        ...port,
        listen: (take, onDeath) => {
          die = onDeath;
          port.listen(take, onDeath);
        },
      };
    };
    ({ api } = signedInWheelhouse({}, { workers: testWorkers({ "run-reader": spawn }) }));
    become(aRun({ log: ["a", "b"] }));
    await runs().read(id, {});
    service().override(getRun, never, { times: 1 });
    const lost = runs().read(id, {});
    await expect.poll(() => service().seen(getRun).length).toBe(2);
    (die as (() => void) | null)?.();
    await expect(lost).rejects.toMatchObject({ failure: { kind: "network" } });
    become(aRun({ log: ["a", "b", "c"] }));
    await runs().read(id, {});
    expect(lines()).toEqual(["a", "b", "c"]);
    expect(service().seen(getRun).at(-1)?.headers.get("if-none-match")).toBeNull();
  });
});

describe("searching a log", () => {
  const search = async (text: string, regex = false, caseSensitive = false) => {
    const found: number[] = [];
    await runs().search(id, { text, regex, caseSensitive }, (hits) => found.push(...hits));
    return found;
  };

  it("finds text with and without regard to case, and patterns", async () => {
    become(aRun({ log: ["Order 12 ok", "order 13 MISMATCH", "nothing", "mismatch again"] }));
    await runs().read(id, {});
    expect(await search("mismatch")).toEqual([1, 3]);
    expect(await search("mismatch", false, true)).toEqual([3]);
    expect(await search("order \\d+", true)).toEqual([0, 1]);
    await expect(search("(", true)).rejects.toThrow(SyntaxError);
  });

  it("looks through a hundred thousand lines and can be stopped", async () => {
    become(aRun({ log: Array.from({ length: 100_000 }, (_, i) => `line ${i}`) }));
    await runs().read(id, {});
    expect(await search("line 99999")).toEqual([99_999]);
    const controller = new AbortController();
    const query = { text: "line", regex: false, caseSensitive: false };
    const stopped = runs().search(id, query, () => controller.abort(new Error("enough")), controller.signal);
    await expect(stopped).rejects.toThrow("enough");
  });
});

describe("a pattern that never comes to an end", () => {
  it("does not keep the lines of a run that has ended from being understood", async () => {
    const spawn = (): WorkerEnd => {
      const port = workerEnds["run-reader"]();
      return {
        ...port,
        postMessage: (message, transfer) => {
          if (!("method" in message && message.method === "search")) port.postMessage(message, transfer);
        },
      };
    };
    const { api: own } = signedInWheelhouse({}, { workers: testWorkers({ "run-reader": spawn }) });
    const reader = createRunReader(own, 10);
    // So many that what they mean is told later than the lines.
    become(aDoneRun({ log: Array.from({ length: 1_500 }, (_, at) => `aaaa ${at}`) }));
    await reader.read(id, {});
    const query = { text: "(a+)+$", regex: true, caseSensitive: false };
    await expect(reader.search(id, query, () => {})).rejects.toBeInstanceOf(SearchTooSlow);
    await expect.poll(() => reader.log(id).facts.length).toBe(1_500);
    reader.close();
  });

  it("is ended with its worker, while a read goes on in a new one, and the next search finds everything", async () => {
    let isCaught = true;
    const spawn = (): WorkerEnd => {
      const port = workerEnds["run-reader"]();
      return {
        ...port,
        // What a worker does that is caught in one line: it hears nothing any more.
        postMessage: (message, transfer) => {
          if (!("method" in message && message.method === "search" && isCaught))
            port.postMessage(message, transfer);
        },
      };
    };
    const { api: own } = signedInWheelhouse({}, { workers: testWorkers({ "run-reader": spawn }) });
    const reader = createRunReader(own, 30);
    become(aRun({ log: ["aaaa", "b"] }));
    await reader.read(id, {});
    const query = { text: "(a+)+$", regex: true, caseSensitive: false };
    const caught = reader.search(id, query, () => {});
    service().override(getRun, never, { times: 1 });
    const reading = reader.read(id, {});
    await expect(caught).rejects.toBeInstanceOf(SearchTooSlow);
    expect(await reading).toMatchObject({ data: { run_id: id } });
    isCaught = false;
    const found: number[] = [];
    await reader.search(id, query, (hits) => found.push(...hits));
    expect(found).toEqual([0]);
    reader.close();
  });
});

describe("what lines mean", () => {
  const at = "2026-11-20T08:15:04.123Z";

  it("is told a little after they came: levels, nodes and their times", async () => {
    become(
      aRun({ log: [`${at} [Read] ok`, `${at} [Match] failed: 502`, `${at} [Match]   at match.py`, "?"] }),
    );
    await runs().read(id, {});
    const log = runs().log(id);
    await expect.poll(() => log.facts.length).toBe(4);
    const { facts } = log;
    expect([0, 1, 2, 3].map((line) => facts.levelOf(line))).toEqual(["plain", "error", "error", "plain"]);
    expect([facts.warnings, facts.errors, facts.names]).toEqual([0, 2, ["Read", "Match"]]);
    expect(facts.firstError).toBe(1);
    expect([0, 1, 2, 3].map((line) => facts.nodeOf(line))).toEqual([1, 2, 2, 0]);
    expect(facts.timeline.spans.map(({ node }) => node)).toEqual(["Read", "Match"]);
    become(aRun({ log: ["other"] }));
    await runs().read(id, {});
    await expect.poll(() => log.facts.length).toBe(1);
    expect([log.facts.errors, log.facts.names]).toEqual([0, []]);
  });

  it("is told of all lines also where two reads of a run overlap", async () => {
    become(aRun({ log: ["one"] }));
    await runs().read(id, {});
    become(aRun({ log: ["one", `${at} [Match] failed: 502`] }));
    await Promise.all([runs().read(id, {}), runs().read(id, {})]);
    const log = runs().log(id);
    await expect.poll(() => log.facts.length).toBe(2);
    expect([lines().length, log.facts.firstError, log.facts.names]).toEqual([2, 1, ["Match"]]);
  });

  it("knows lines that were written over by carriage returns, in one line or over many", async () => {
    const updates = Array.from({ length: 1_000 }, (_, i) => `${at} [Copy] ${i} of 1000\r`);
    become(
      aRun({
        log: [
          `${at} [Copy] begins`,
          ...updates,
          `${at} [Copy] done`,
          `${at} [Copy] \rover`,
          `${at} [Next] \rown`,
        ],
      }),
    );
    await runs().read(id, {});
    const { facts } = runs().log(id);
    await expect.poll(() => facts.length).toBe(1_004);
    expect(facts.overwritten).toBe(1_000 + 1);
    expect([0, 1, 1_000, 1_001, 1_002].map((line) => facts.isOverwritten(line))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a log without measure", () => {
  it("holds one line of 8 MB and 50,000 updates of a line", async () => {
    const long = "y".repeat(8_000_000);
    const updates = Array.from({ length: 50_000 }, (_, i) => `${i}`).join("\r");
    become(aRun({ log: [long, `2026-11-20T08:15:04.123Z [Copy] ${updates}`] }));
    await runs().read(id, {});
    expect(lines()).toEqual([long, "2026-11-20T08:15:04.123Z [Copy] 49999"]);
  });
});
