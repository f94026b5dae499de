import { relative } from "node:path";
import type { FullResult, Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";
import { type FailedTest, shortError, writeReport } from "./report.ts";

/** Writes which tests failed, and how to run each again alone, for `npm test`. */
export default class implements Reporter {
  private readonly faults: string[] = [];
  private suite: Suite | undefined;

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite;
  }

  onError(error: TestError): void {
    this.faults.push(`outside of tests: ${shortError(error.message ?? error.value)}`);
  }

  onEnd({ status }: FullResult): void {
    const tests = this.suite?.allTests() ?? [];
    if (status === "interrupted" || status === "timedout") this.faults.push(`playwright was ${status}`);
    writeReport({
      passed: tests.filter(hasPassed).length,
      skipped: tests.filter(isSkipped).length,
      failed: tests.filter((test) => !hasPassed(test) && !isSkipped(test)).map(failure),
      faults: this.faults,
    });
  }
}

const hasPassed = (test: TestCase) => test.outcome() === "expected";
/** Skipped on purpose; a test that another one's failure kept from running is not. */
const isSkipped = (test: TestCase) => test.outcome() === "skipped" && test.expectedStatus === "skipped";

function failure(test: TestCase): FailedTest {
  const [, project = "", ...names] = test.titlePath();
  return {
    runner: "playwright",
    project,
    file: relative(process.cwd(), test.location.file),
    name: names.slice(1).join(" › "),
    fullName: [project, ...names].join(" "),
    // A test that ran out of time has two: that it did, and what it was waiting for.
    error: shortError(test.results[0]?.errors.map(({ message }) => message).join("\n") || "it did not run"),
  };
}
