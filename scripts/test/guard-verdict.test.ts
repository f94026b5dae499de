import { describe, expect, it } from "vitest";
import { judgeGuard } from "./guard-verdict.ts";
import type { FailedTest, TestReport } from "./report.ts";

const failed = (fullName: string | null): FailedTest => ({
  runner: "vitest",
  project: "service",
  file: "src/service/a.test.ts",
  name: "a > refuses",
  fullName,
  error: "expected 200 to be 403\nand more",
});
const report: TestReport = { passed: 3, skipped: 0, failed: [], faults: [] };

describe("a guard that is switched off", () => {
  it("is seen by a test that fails", () => {
    const verdict = judgeGuard({ ...report, failed: [failed(null), failed("a refuses")] });
    expect(verdict).toEqual({ isRed: true, text: "a.test.ts › a > refuses" });
  });

  it("is not seen where all tests pass", () => {
    expect(judgeGuard(report)).toEqual({ isRed: false, text: "STILL GREEN: 3 tests passed without it" });
  });

  it("is not seen by a file or hook that fails outside of its tests", () => {
    const verdict = judgeGuard({ ...report, failed: [failed(null)] });
    expect(verdict).toEqual({ isRed: false, text: "NO TEST FAILED: expected 200 to be 403" });
  });

  it("is not seen by a run that ends with a fault", () => {
    const verdict = judgeGuard({ ...report, faults: ["vitest ended with 1 and without a report"] });
    expect(verdict).toEqual({
      isRed: false,
      text: "NO TEST FAILED: vitest ended with 1 and without a report",
    });
  });
});
