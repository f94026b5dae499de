import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import * as z from "zod";

const failedTest = z.object({
  runner: z.enum(["vitest", "playwright"]),
  project: z.string(),
  /** From the folder in which the runner was started. */
  file: z.string(),
  /** As a person reads it. */
  name: z.string(),
  /** The test's whole name as its runner's filter matches it; null where the whole file has to run again. */
  fullName: z.string().nullable(),
  error: z.string(),
});

const testReport = z.object({
  passed: z.number(),
  skipped: z.number(),
  failed: z.array(failedTest),
  /** What went wrong outside of any test, such as an error after the last one: no second try can excuse it. */
  faults: z.array(z.string()),
});

/** A test that failed, with what it takes to run it again alone. */
export type FailedTest = z.infer<typeof failedTest>;
/** What one run of a test runner came to. */
export type TestReport = z.infer<typeof testReport>;

/** The environment variable that tells our reporters where to write; without it they write nothing. */
export const reportVariable = "WHEELHOUSE_TEST_REPORT";

/** Writes the report of a run to the file that whoever started it asked for. */
export function writeReport(report: TestReport): void {
  const path = process.env[reportVariable];
  if (path !== undefined) writeFileSync(path, JSON.stringify(report));
}

/**
 * The report of a run that has ended, never better than its exit code.
 * @param runner how the run is called in what it is blamed for
 * @param path where the run was told to write
 * @param status its exit code, null when a signal ended it
 */
export function readReport(runner: string, path: string, status: number | null): TestReport {
  if (!existsSync(path))
    return {
      passed: 0,
      skipped: 0,
      failed: [],
      faults: [`${runner} ended with ${status} and without a report`],
    };
  const report = testReport.parse(JSON.parse(readFileSync(path, "utf8")));
  if (status !== 0 && report.failed.length === 0 && report.faults.length === 0)
    report.faults.push(`${runner} ended with ${status} and named no failed test`);
  return report;
}

/** An error's message without colours, cut to what fits into a list. */
export function shortError(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? "no message")
    .trim()
    .split("\n");
  return lines.slice(0, 12).join("\n");
}
