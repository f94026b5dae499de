import { describe, expect, it } from "vitest";
import type { RunRow } from "./run-row.ts";
import { hourMarks, makeStrip, mostBars } from "./strip.ts";

const now = Date.UTC(2026, 10, 20, 9);
const run = (
  runId: string,
  startedAgo: number,
  length: number | null,
  state: string,
  error: string | null = null,
): RunRow => ({
  runId,
  flowId: "flow",
  flowName: "Flow",
  state,
  createdTs: new Date(now - startedAgo * 1000).toISOString(),
  finishedTs: length === null ? null : new Date(now - (startedAgo - length) * 1000).toISOString(),
  userId: null,
  inputs: {},
  error,
  source: "service",
});

describe("the strip over the runs list", () => {
  it("has one bar per run in order of start, as high as it is long", () => {
    const strip = makeStrip(
      [run("b", 10, null, "RUNNING"), run("a", 60, 40, "DONE"), run("c", 5, 1, "FAILED")],
      now,
    );
    expect(strip.bars.map((bar) => [bar.runId, bar.share, bar.tone])).toEqual([
      ["a", 1, "done"],
      ["b", 0.25, "running"],
      ["c", 0.025, "failed"],
    ]);
    expect(strip).toMatchObject({ failed: 1, median: 10_000, slowest: 40_000, grid: 20_000 });
  });

  it("names the error that failed runs share, and none that stands alone", () => {
    const failed = [
      run("a", 9, 1, "FAILED", "502"),
      run("b", 8, 1, "FAILED", "502"),
      run("c", 7, 1, "FAILED", "no disk"),
    ];
    expect(makeStrip(failed, now).commonError).toEqual({ text: "502", count: 2 });
    expect(makeStrip(failed.slice(1), now).commonError).toBeNull();
  });

  it("C-11: lives without runs and with times that are none", () => {
    expect(makeStrip([], now)).toMatchObject({ bars: [], median: null, slowest: null });
    const broken = { ...run("a", 5, 1, "DONE"), createdTs: "0001-01-01T00:00:00Z" };
    const backwards = { ...run("b", 5, 1, "DONE"), finishedTs: "2020-01-01T00:00:00Z" };
    expect(makeStrip([broken, backwards], now).bars).toMatchObject([{ runId: "b", length: 0 }]);
  });

  it("is not flattened by one run that takes much longer: that bar is cut, and says so", () => {
    const usual = Array.from({ length: 20 }, (_, n) => run(`r${n}`, 100 + n, 2, "DONE"));
    const { bars, slowest } = makeStrip([...usual, run("long", 700, 600, "DONE")], now);
    expect(bars[0]).toMatchObject({ runId: "long", share: 1, isCut: true });
    expect(bars[1]?.share).toBeCloseTo(1 / 3);
    expect(bars[1]?.isCut).toBe(false);
    expect(slowest).toBe(600_000);
  });

  it("draws the newest where there are too many", () => {
    const many = Array.from({ length: 500 }, (_, n) => run(`r${n}`, 500 - n, 1, "DONE"));
    const { bars } = makeStrip(many, now);
    expect(bars).toHaveLength(mostBars);
    expect(bars.at(-1)?.runId).toBe("r499");
  });

  it("marks round hours at the first run after them", () => {
    const { bars } = makeStrip(
      [run("a", 5400, 1, "DONE"), run("b", 3500, 1, "DONE"), run("c", 60, 1, "DONE")],
      now,
    );
    expect(hourMarks(bars, 4, () => 0)).toEqual([{ at: Date.UTC(2026, 10, 20, 8), index: 1 }]);
  });
});
