import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Round, type RunOptions, retryRound, runRound } from "./rounds.ts";
import { canStillPass, failures, judge, type Retry, type Verdict } from "./verdict.ts";

/**
 * Runs all rounds, then each test that failed once more, alone and after everything else. Nothing but a failed test is
 * tried again; once a run cannot pass any more, what is left of it is not begun.
 * @param rounds in their order
 */
export function runTests(rounds: readonly Round[], options?: RunOptions): Verdict {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-tests-"));
  try {
    const reports = [];
    for (const [index, round] of rounds.entries()) {
      reports.push(runRound(round, join(folder, `round-${index}.json`), options));
      if (!canStillPass(reports)) break;
    }
    const worthwhile = canStillPass(reports);
    const tries = failures(reports).map((test, index): Retry => {
      if (!worthwhile) return { test };
      const round = retryRound(test);
      if (!options?.quiet) console.log(`\nTrying once more: ${round.name}`);
      return { test, report: runRound(round, join(folder, `second-try-${index}.json`), options) };
    });
    return judge(
      reports,
      tries,
      rounds.slice(reports.length).map(({ name }) => name),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
