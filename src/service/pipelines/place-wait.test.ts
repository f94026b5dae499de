import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readLog } from "../../testing/executions.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { until } from "../../testing/until.ts";
import { createLimiter } from "../limiter.ts";
import { startTimeLimit } from "../time-limit.ts";
import { placeWait } from "./place-wait.ts";

/** What code takes. */
let slowly = async () => {};
/** One thread, of which the code takes no time at all where nothing else is said. */
const limiter = createLimiter({ places: 1 });
const code = {
  run: (_: string, inputs: unknown, { requester }: { requester: Parameters<typeof limiter.run>[0] }) =>
    limiter.run(requester, async () => {
      await slowly();
      return JSON.parse(JSON.stringify(inputs));
    }),
  close: async () => {},
};

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness({ code });
});
afterAll(() => harness.stop());

/** Takes the only thread. @returns what gives it back */
function hold(): () => void {
  let giveBack = () => {};
  const held = new Promise<void>((resolve) => {
    giveBack = resolve;
  });
  void limiter.run({ share: ["somebody else"] }, () => held);
  return giveBack;
}

const logOf = async (id: string) =>
  (await readLog(harness.store.db, id)).map((line) => line.slice(line.indexOf(" ") + 1));
const untilLogged = (id: string, text: string) =>
  until(text, async () => (await logOf(id)).some((line) => line.includes(text)));

async function start(nodes: string): Promise<string> {
  await harness.add(`id: flow_test\nname: Test\nowner: user_ada\nnodes:\n${nodes.replace(/^\n/, "")}`);
  return harness.start("flow_test");
}

describe("A node that waits for a thread", () => {
  it("S-283: times itself where it is code, and is not ended by the clock on the wall", async () => {
    const began = performance.now();
    // As long as a thread may take that has to wait for a core.
    slowly = () => until("a while", async () => performance.now() - began > 300);
    const id = await start('  heavy: { type: code, timeout_s: 0.1, source: "return 1", inputs: { a: 1 } }');
    const { execution } = await harness.end(id);
    slowly = async () => {};
    expect(execution.state).toBe("done");
  });

  it("S-70: has its whole time when it gets one, and the log says once and in order that it waited", async () => {
    const giveBack = hold();
    const id = await start(`
  heavy: { type: code, timeout_s: 0.1, source: "return inputs.a", inputs: { a: 1 } }
  out: { type: output, value: "{{ heavy.value.a }}" }
`);
    // It is said after a longer time than the node may take.
    await untilLogged(id, "waiting for a free place");
    giveBack();
    const { outputs, log } = await harness.end(id);
    expect(outputs).toEqual({ out: 1 });
    expect(log.filter((line) => line.startsWith("[heavy]"))).toEqual([
      "[heavy] started",
      "[heavy] waiting for a free place, next in line",
      expect.stringMatching(/^\[heavy\] waited [\d.]+ (s|ms) for a free place$/),
      expect.stringMatching(/^\[heavy\] finished in /),
    ]);
  });

  it("says how many are before it, and so once for all items of a list", async () => {
    const giveBack = hold();
    const id = await start(`
  all:
    type: each
    items: [1, 2, 3, 4]
    concurrency: 3
    do: { type: code, timeout_s: 0.1, source: "return inputs", inputs: { a: "{{ item }}" } }
  out: { type: output, value: "{{ all.count }}" }
`);
    await untilLogged(id, "waiting for a free place");
    giveBack();
    const { outputs, log } = await harness.end(id);
    expect(outputs).toEqual({ out: 4 });
    const said = log.filter((line) => line.includes("free place"));
    expect(said).toEqual([
      expect.stringMatching(/^\[all\] 0: waiting for a free place, next in line$/),
      expect.stringMatching(/^\[all\] 0: waited/),
    ]);
  });

  it("is let go at once when its run is stopped", async () => {
    const giveBack = hold();
    const id = await start(`
  heavy: { type: code, source: "return 1" }
  out: { type: output, value: "{{ heavy.value }}" }
`);
    await until("it waits", async () => limiter.waiting === 1);
    await harness.engine.kill(id);
    expect((await harness.end(id)).execution.state).toBe("terminated");
    await until("it waits no more", async () => limiter.waiting === 0);
    giveBack();
  });
});

describe("A wait for a place", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  function waitOf(limit = startTimeLimit(1_000)) {
    const said: string[] = [];
    let first = true;
    const isFirst = () => {
      const was = first;
      first = false;
      return was;
    };
    const facts = { runId: "run_1", flowId: "f", userId: "ada", teamId: null, given: {}, body: "" };
    const { signal } = limit;
    const say = (text: string) => void said.push(text);
    const wait = placeWait({ facts, signal, limit, isFirst, say, write: async () => {} });
    return { wait, said, limit };
  }

  it("that is over in a moment is not said", async () => {
    const { wait, said } = waitOf();
    wait.requester.onWait?.(() => 3);
    vi.advanceTimersByTime(900);
    wait.requester.onStart?.();
    vi.advanceTimersByTime(900);
    await wait.end();
    expect(said).toEqual([]);
  });

  it("is no time of the node's own, before it has begun and in the middle of it", () => {
    const { wait, said, limit } = waitOf();
    vi.advanceTimersByTime(600);
    wait.requester.onWait?.(() => 12);
    vi.advanceTimersByTime(60_000);
    wait.requester.onStart?.();
    vi.advanceTimersByTime(300);
    expect(limit.signal.aborted).toBe(false);
    vi.advanceTimersByTime(200);
    expect(limit.signal.aborted).toBe(true);
    expect(said).toEqual(["waiting for a free place, 12 before it", "waited 1 m 00 s for a free place"]);
  });

  it("for a thread that starts is not said, and no time of the node's own either", () => {
    const { wait, said, limit } = waitOf();
    wait.requester.onWait?.(null);
    vi.advanceTimersByTime(60_000);
    wait.requester.onStart?.();
    vi.advanceTimersByTime(900);
    expect(limit.signal.aborted).toBe(false);
    expect(said).toEqual([]);
  });

  it("says nothing more when the call is over", async () => {
    const { wait, said } = waitOf();
    wait.requester.onWait?.(() => 0);
    await wait.end();
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([]);
  });
});
