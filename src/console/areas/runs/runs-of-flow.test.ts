import { describe, expect, it } from "vitest";
import { aRunSummary } from "../../../testing/builders.ts";
import { type RunRow, rowOfService } from "./run-row.ts";
import { usualTime, usualWords } from "./runs-of-flow.ts";

const done = (seconds: number, state = "DONE"): RunRow => {
  const started = Date.UTC(2026, 10, 20, 8);
  const row = rowOfService(
    aRunSummary({
      state: "DONE",
      created_ts: new Date(started).toISOString(),
      finished_ts: new Date(started + seconds * 1000).toISOString(),
    }),
  );
  if (!row) throw new Error("no row");
  return { ...row, state };
};

describe("the usual time of a flow", () => {
  it("is the middle half of the runs that were done, so that one long run does not stretch it", () => {
    const usual = usualTime([done(220), done(240), done(250), done(270), done(9_000)]);
    expect(usual).toEqual({ from: 240_000, to: 270_000 });
    expect(usual && usualWords(usual)).toBe("usually 4 m 00 s to 4 m 30 s");
  });

  it("is one length where both ends read alike", () => {
    const usual = usualTime([done(61), done(61), done(61)]);
    expect(usual && usualWords(usual)).toBe("usually 1 m 01 s");
  });

  it("is not known from two runs, nor from runs that failed", () => {
    expect(usualTime([done(1), done(2)])).toBeNull();
    expect(usualTime([done(1, "FAILED"), done(2, "FAILED"), done(3, "TERMINATED")])).toBeNull();
  });
});
