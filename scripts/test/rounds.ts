import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type FailedTest, readReport, reportVariable, type TestReport } from "./report.ts";

/** One start of a test runner. */
export interface Round {
  /** How it is called in what it is blamed for. */
  readonly name: string;
  readonly runner: FailedTest["runner"];
  /** What the runner is told beside its command. */
  readonly args: readonly string[];
}

/** Where the test runners are: in our own packages, wherever a round runs. */
const programs = join(import.meta.dirname, "../../node_modules/.bin");

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The test runners: what starts them, what makes them write their report, and how one test is run alone. */
export const runners = {
  vitest: {
    command: ["vitest", "run"],
    report: ["--reporter=default", `--reporter=${import.meta.dirname}/vitest-reporter.ts`],
    alone: (file: string) => [file, "--maxWorkers=1"],
    only: "--testNamePattern",
  },
  playwright: {
    command: ["playwright", "test"],
    report: [`--add-reporter=${import.meta.dirname}/playwright-reporter.ts`],
    // In a folder of its own: the traces of the first try stay where they are.
    alone: (file: string) => [literal(file), "--workers=1", "--output=test-results/second-try"],
    only: "--grep",
  },
} as const;

export const unitRound: Round = { name: "unit tests", runner: "vitest", args: [] };

/** What is in the last one has the machine for itself. */
export const browserRounds: readonly Round[] = [
  { name: "browser tests", runner: "playwright", args: ["--project=together", "--project=apart"] },
  { name: "browser tests that run alone", runner: "playwright", args: ["--project=alone"] },
];

/**
 * The round that runs one failed test again with nothing beside it.
 * @param test as a report names it; its whole file where it has no name of its own
 */
export function retryRound({ runner, project, file, fullName, name }: FailedTest): Round {
  const only = fullName === null ? [] : [`${runners[runner].only}=^${literal(fullName)}$`];
  const args = [`--project=${project}`, ...runners[runner].alone(file), ...only];
  return { name: `${project} · ${file} › ${name}`, runner, args };
}

/** Where rounds run, whether they are seen and what they find set: without it in this folder, on the terminal. */
export interface RunOptions {
  readonly cwd?: string;
  readonly quiet?: boolean;
  /** Variables beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a round to its end.
 * @param path where its report is written
 * @returns what came of it; a round that dies without a report has a fault
 */
export function runRound({ name, runner, args }: Round, path: string, options: RunOptions = {}): TestReport {
  rmSync(path, { force: true });
  const { command, report } = runners[runner];
  const [program, ...first] = command;
  const { status } = spawnSync(join(programs, program), [...first, ...args, ...report], {
    stdio: options.quiet ? "ignore" : "inherit",
    env: { ...process.env, ...options.env, [reportVariable]: path },
    cwd: options.cwd,
  });
  return readReport(name, path, status);
}
