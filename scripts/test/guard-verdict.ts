import type { TestReport } from "./report.ts";

/** What came of running a guard's tests without the guard. */
export interface GuardVerdict {
  readonly isRed: boolean;
  /** The test that saw it, or why nothing counts as having seen it. */
  readonly text: string;
}

/**
 * Whether the tests saw that their guard was off: a test has to fail. A file that does not even load, or a hook that fails,
 * shows nothing of the guard.
 * @param report of the run without the guard
 */
export function judgeGuard({ failed, faults, passed }: TestReport): GuardVerdict {
  const [first] = failed.filter(({ fullName }) => fullName !== null);
  if (first !== undefined) return { isRed: true, text: `${first.file.replace(/^.*\//, "")} › ${first.name}` };
  const [outside] = [...failed.map(({ error }) => error), ...faults];
  if (outside !== undefined) return { isRed: false, text: `NO TEST FAILED: ${outside.split("\n")[0]}` };
  return { isRed: false, text: `STILL GREEN: ${passed} tests passed without it` };
}
