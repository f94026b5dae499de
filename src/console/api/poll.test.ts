import { describe, expect, it } from "vitest";
import { ConsoleError } from "./errors.ts";
import {
  describePoll,
  once,
  type PollClock,
  type PollPolicy,
  type PollState,
  slow,
  watchList,
  watchRun,
} from "./poll.ts";
import { seeded } from "./poll-environment.ts";

const now = 1_000_000_000;
const state = (part: Partial<PollState> = {}): PollState => ({
  key: "run 1",
  reads: 3,
  checkedAt: now,
  changedAt: now,
  error: null,
  failedAt: 0,
  failures: 0,
  moving: true,
  settled: false,
  tookMs: 10,
  ...part,
});
const clock = (part: Partial<PollClock> = {}): PollClock => ({
  setting: "auto",
  hidden: false,
  online: true,
  signedOut: false,
  actedAt: 0,
  hold: null,
  // In the middle, jitter of the ordinary kind is none.
  random: () => 0.5,
  ...part,
});
const http = (status: number, retryAfterMs: number | null = null) =>
  new ConsoleError(
    {
      kind: "http",
      status,
      code: null,
      message: null,
      param: null,
      details: null,
      requestId: "req_1",
      retryAfterMs,
    },
    "getRun",
  );
const network = new ConsoleError({ kind: "network" }, "getRun");
const contract = new ConsoleError({ kind: "contract", path: "", requestId: null }, "getRun");
const still = (ms: number) => state({ changedAt: now - ms });
const failing = (error: unknown, forMs: number) => state({ error, failedAt: now + forMs });

const never = (failures: number) =>
  state({ reads: 0, checkedAt: 0, error: network, failedAt: now, failures });

type Case = [what: string, policy: PollPolicy, state: PollState, clock: PollClock, expected: number | false];

const cases: Case[] = [
  ["a run just changed", watchRun, still(0), clock(), 500],
  ["a run still for 10 s", watchRun, still(10_000), clock(), 1_000],
  ["a run still for a minute", watchRun, still(60_000), clock(), 2_000],
  ["a run still for five minutes", watchRun, still(300_000), clock(), 5_000],
  ["a run still for an hour", watchRun, still(3_600_000), clock(), 15_000],
  [
    "a run still for an hour, but the person just acted",
    watchRun,
    still(3_600_000),
    clock({ actedAt: now }),
    500,
  ],
  ["a run that has ended: one more read", watchRun, state({ moving: false }), clock(), 1_000],
  [
    "a run that has ended and was read again",
    watchRun,
    state({ moving: false, settled: true }),
    clock(),
    false,
  ],
  ["a run in a hidden tab", watchRun, still(0), clock({ hidden: true }), 60_000],
  ["a run whose body takes 4 s to read", watchRun, state({ tookMs: 4_000 }), clock(), 12_000],
  ["a run, slower by setting", watchRun, still(10_000), clock({ setting: "slower" }), 5_000],
  ["a run, paused by setting", watchRun, still(0), clock({ setting: "paused" }), false],
  ["a run while the key is not accepted", watchRun, still(0), clock({ signedOut: true }), false],
  ["a list in which something moves", watchList, still(0), clock(), 2_000],
  ["a list in which something moves, still for a minute", watchList, still(60_000), clock(), 5_000],
  ["a list in which nothing moves", watchList, state({ moving: false }), clock(), 20_000],
  [
    "a list in which nothing moved for an hour",
    watchList,
    { ...still(3_600_000), moving: false },
    clock(),
    60_000,
  ],
  ["a list in a hidden tab", watchList, still(0), clock({ hidden: true }), false],
  ["a slow list", slow, state(), clock(), 60_000],
  ["what never changes", once, state(), clock(), false],
  // Errors: the wait doubles up to 8 s, and is a little longer at random.
  ["failing for 0.5 s", watchRun, failing(network, 500), clock(), 563],
  ["failing for 2 s", watchRun, failing(network, 2_000), clock(), 2_250],
  ["failing for 4 s", watchRun, failing(http(503), 4_000), clock(), 4_500],
  ["failing for an hour", watchRun, failing(http(500), 3_600_000), clock(), 9_000],
  ["asked to wait 40 s", watchRun, failing(http(429, 40_000), 500), clock(), 45_000],
  ["an unreadable answer", watchRun, failing(contract, 500), clock(), 33_750],
  ["401", watchRun, failing(http(401), 500), clock(), false],
  ["403", watchRun, failing(http(403), 500), clock(), false],
  ["404", watchRun, failing(http(404), 500), clock(), false],
  ["405", watchList, failing(http(405), 500), clock(), false],
  ["501", watchList, failing(http(501), 500), clock(), false],
  ["408", watchRun, failing(http(408), 500), clock(), 563],
  ["failed once before the first answer", watchRun, never(1), clock(), 1_125],
  ["failed three times before the first answer", watchRun, never(3), clock(), 4_500],
  ["failed often before the first answer", watchRun, never(30), clock(), 9_000],
];

describe("what is read once", () => {
  it("C-20: is tried again by itself while it fails for a reason that passes, and never after an answer", () => {
    expect(once(state(), clock())).toBe(false);
    for (const [failures, wait] of [
      [1, 1_000],
      [3, 4_000],
      [9, 8_000],
    ] as const) {
      const next = once(never(failures), clock());
      expect(next).toBeGreaterThanOrEqual(wait);
      expect(next).toBeLessThanOrEqual(wait * 1.25);
    }
    expect(once(failing(http(404), 0), clock())).toBe(false);
    expect(once(never(1), clock({ signedOut: true }))).toBe(false);
  });
});

describe("poll policies", () => {
  it.each(cases)("%s", (_what, policy, given, circumstances, expected) => {
    expect(policy(given, circumstances)).toBe(expected);
  });

  it("C-24: errors are spread by a quarter, ordinary polls by a fifth, and only forward from a wish to wait", () => {
    const waits = (given: PollState) =>
      [0, 0.25, 0.5, 0.75, 0.999].map((x) => watchRun(given, clock({ random: () => x })) as number);
    const asked = waits(failing(http(429, 40_000), 500));
    expect(Math.min(...asked)).toBe(40_000);
    expect(Math.max(...asked)).toBeGreaterThan(49_000);
    const usual = waits(still(10_000));
    expect(Math.min(...usual)).toBe(900);
    expect(Math.max(...usual)).toBeGreaterThan(1_090);
  });

  it("gives the same answer until something is read, so that a render never starts the wait anew", () => {
    const random = seeded(7);
    const a = watchRun(still(10_000), clock({ random }));
    expect(watchRun(still(10_000), clock({ random }))).toBe(a);
    const others = Array.from({ length: 50 }, (_, i) =>
      watchRun({ ...still(10_000), reads: i }, clock({ random })),
    );
    expect(new Set(others).size).toBeGreaterThan(20);
  });
});

describe("the live chip", () => {
  const say = (given: PollState, circumstances = clock(), policy = watchRun) => {
    const { word, mark, because } = describePoll(policy, given, circumstances);
    return [word, mark, because];
  };

  it.each([
    ["live", state(), clock(), ["Live", "round", null]],
    ["ended", state({ moving: false, settled: true }), clock(), ["Up to date", "hollow", "finished"]],
    ["hidden", state(), clock({ hidden: true }), ["Paused", "hollow", "tab is hidden"]],
    ["paused", state(), clock({ setting: "paused" }), ["Paused", "hollow", "by you"]],
    ["signed out", state(), clock({ signedOut: true }), ["Paused", "hollow", "signed out"]],
    [
      "asked to wait",
      state(),
      clock({ hold: { reason: "asked", until: now + 14_000 } }),
      ["Slowed", "square", "rate limited"],
    ],
    ["a failed read", failing(http(502), 500), clock(), ["Slowed", "square", "last refresh failed"]],
    ["no answer", failing(network, 500), clock(), ["Offline", "square", "the service is not responding"]],
    ["no network", failing(network, 500), clock({ online: false }), ["Offline", "square", "no network"]],
    [
      "no network yet unnoticed by a read",
      state(),
      clock({ online: false }),
      ["Offline", "square", "no network"],
    ],
    ["gone", failing(http(404), 500), clock(), ["Paused", "hollow", "access refused"]],
  ] as const)("says why: %s", (_what, given, circumstances, expected) => {
    expect(say(given, circumstances)).toEqual(expected);
  });

  it("says when it goes on after an error", () => {
    const { nextAt, checkedAt } = describePoll(watchRun, failing(http(502), 2_000), clock());
    expect(nextAt).toBe(now + 2_000 + 2_250);
    expect(checkedAt).toBe(now);
  });
});
