import { relative } from "node:path";
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSuite,
} from "vitest/node";
import { type FailedTest, shortError, writeReport } from "./report.ts";

/** Writes which tests failed, and how to run each again alone, for `npm test`. */
export default class implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const faults = unhandledErrors.map((error) => `unhandled: ${shortError(error.stack ?? error.message)}`);
    if (reason === "interrupted") faults.push("vitest was interrupted");
    writeReport({
      passed: tests.filter((test) => test.result().state === "passed").length,
      skipped: tests.filter((test) => test.result().state === "skipped").length,
      failed: modules.flatMap(failuresIn),
      faults,
    });
  }
}

/** A hook of a file or group that failed keeps others from running: then the whole file is one failure. */
function failuresIn(module: TestModule): FailedTest[] {
  const file = relative(process.cwd(), module.moduleId);
  const base = { runner: "vitest", project: module.project.name, file } as const;
  const outside = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
  if (outside.length > 0) {
    const error = shortError(outside[0]?.stack ?? outside[0]?.message);
    return [{ ...base, name: "the file, outside of its tests", fullName: null, error }];
  }
  return [...module.children.allTests("failed")].map((test) => {
    const [first] = test.result().errors ?? [];
    const error = shortError(first?.stack ?? first?.message);
    return { ...base, name: test.fullName, fullName: namesTo(test).join(" "), error };
  });
}

function namesTo(part: TestCase | TestSuite): string[] {
  return part.parent.type === "module" ? [part.name] : [...namesTo(part.parent), part.name];
}
