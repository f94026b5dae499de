import type { FailedTest, TestReport } from "./report.ts";

/** Tests of one run that may fail at first and pass when they are tried again alone; one more fails the run. */
export const flakyLimit = 5;

/**
 * Whether second tries can still save a run. More failures than may be flaky fail it whatever they would show.
 * @param reports of all rounds so far
 */
export function canStillPass(reports: readonly TestReport[]): boolean {
  return reports.every(({ faults }) => faults.length === 0) && failures(reports).length <= flakyLimit;
}

/** The tests that failed in any round. */
export const failures = (reports: readonly TestReport[]) => reports.flatMap(({ failed }) => failed);

/** What a second try of a failed test came to. */
export interface Retry {
  readonly test: FailedTest;
  /** The report of the try; absent where the run had failed already and nothing was tried again. */
  readonly report?: TestReport;
}

/** Whether the run holds, and what is said at its end. */
export interface Verdict {
  readonly passed: boolean;
  readonly text: string;
}

/**
 * Judges a whole run. A test that failed is flaky if its second try ran it and nothing failed there; everything else that
 * failed is a failure. Each of them is listed with its first error.
 * @param reports of the rounds
 * @param tries one for each failed test of them; none of more than may be flaky was run
 * @param left names of rounds that were not begun
 */
export function judge(
  reports: readonly TestReport[],
  tries: readonly Retry[],
  left: readonly string[],
): Verdict {
  const flaky = tries.filter(passedAgain).map(({ test }) => test);
  const failed = tries.filter((second) => !passedAgain(second)).map(({ test }) => test);
  const faults = reports.flatMap((report) => report.faults);
  const sum = (count: (report: TestReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  const passed = sum((report) => report.passed) + flaky.length;
  const wrong = failed.length + faults.length;
  const lines = [
    ...section("failed", failed),
    ...(faults.length > 0 ? ["", "outside of tests", ...faults.map((fault) => indent(fault))] : []),
    ...section("flaky", flaky),
    ...(flaky.length > 0
      ? ["", `Passed alone: mend the cause (${flakyLimit} at most are let through).`]
      : []),
    ...(left.length > 0 ? ["", "not begun", ...left.map((name) => `  ${name}`)] : []),
    "",
    `Tests: ${passed} passed, ${wrong} failed, ${sum((report) => report.skipped)} skipped`,
  ];
  return { passed: wrong === 0 && passed > 0, text: lines.join("\n") };
}

const passedAgain = ({ report }: Retry) =>
  report !== undefined && report.passed > 0 && report.failed.length === 0 && report.faults.length === 0;

function section(title: string, tests: readonly FailedTest[]): string[] {
  if (tests.length === 0) return title === "flaky" ? ["", "flaky: none"] : [];
  return [
    "",
    title,
    ...tests.flatMap((test) => [`  ${test.project} · ${test.file} › ${test.name}`, indent(test.error)]),
  ];
}

const indent = (text: string) => text.replace(/^/gm, "    ");
