import { describe, expect, it } from "vitest";
import type { RunRow } from "../runs/run-row.ts";
import { groupFailures, whichRuns } from "./causes.ts";

const now = Date.UTC(2026, 10, 20, 12);
let count = 0;
const run = (state: string, hoursAgo: number, part: Partial<RunRow> = {}): RunRow => {
  const at = new Date(now - hoursAgo * 3_600_000).toISOString();
  count += 1;
  return {
    runId: `run_${count}`,
    flowId: "flow_a",
    flowName: "Rates",
    state,
    createdTs: at,
    finishedTs: at,
    userId: null,
    inputs: {},
    error: state === "FAILED" ? "The endpoint answers 502" : null,
    source: "service",
    ...part,
  };
};

describe("what failed in the last day", () => {
  it("is one cause where the reasons differ in numbers and ids only", () => {
    const { open } = groupFailures(
      [
        run("FAILED", 1, { error: "only 7 of 12 anchors (request 3f9a2b7c1d5e8f60)" }),
        run("FAILED", 3, { error: "only 8 of 12 anchors (request 77aa2b7c1d5e8fbb)" }),
        run("FAILED", 2, { error: "no paper", flowId: "flow_b", flowName: "Letters" }),
      ],
      now,
    );
    expect(open.map((cause) => [cause.title, cause.runs.length])).toEqual([
      ["only 7 of 12 anchors (request 3f9a2b7c1d5e8f60)", 2],
      ["no paper", 1],
    ]);
    expect(open[0]?.since).toBe(now - 3 * 3_600_000);
  });

  it("is mended when a run of the same flow began later and was done", () => {
    const failed = run("FAILED", 2);
    expect(groupFailures([failed, run("DONE", 1)], now).mended).toHaveLength(1);
    expect(groupFailures([failed, run("DONE", 1)], now).open).toEqual([]);
    expect(groupFailures([failed, run("DONE", 3)], now).open).toHaveLength(1);
    expect(groupFailures([failed, run("DONE", 1, { flowId: "flow_b" })], now).open).toHaveLength(1);
    expect(groupFailures([failed, run("TERMINATED", 1)], now).open).toHaveLength(1);
  });

  it("stays open as long as one of its runs was not followed by a good one", () => {
    const rows = [run("FAILED", 4), run("DONE", 3), run("FAILED", 2)];
    expect(groupFailures(rows, now).open[0]?.runs).toHaveLength(2);
  });

  it("leaves out what failed before, and names a run without a reason by its flow", () => {
    const { open } = groupFailures([run("FAILED", 25), run("FAILED", 1, { error: null })], now);
    expect(open.map((cause) => cause.title)).toEqual(["Rates failed"]);
  });

  it("says which runs", () => {
    const a = run("FAILED", 1);
    const b = run("FAILED", 1, { flowName: "Letters" });
    expect(whichRuns([a])).toBe("1 run of Rates");
    expect(whichRuns([a, b])).toBe("2 runs of Rates and Letters");
    expect(whichRuns([a, b, run("FAILED", 1, { flowName: "Bills" })])).toBe(
      "3 runs of Rates and 2 other flows",
    );
  });
});
