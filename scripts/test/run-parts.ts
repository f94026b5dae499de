import { spawn } from "node:child_process";
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** One program of a run that takes hours. */
export interface Part {
  /** Without blanks: its log is called so, and it can be asked for by it. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Variables beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Parts that may run beside each other, so many at once. */
export interface Group {
  readonly atOnce: number;
  readonly parts: readonly Part[];
}

/** What came of a part. */
export interface PartResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** What it said of its seeds and of how many tests there were. */
  readonly figures: readonly string[];
  /** Where all that it said lies. */
  readonly log: string;
}

const isFigure = /^seeds? \d|^\s*Tests\s+\d|^\s*\d+ (?:passed|failed|skipped|did not run)\b/;

/** The lines of a part's output that say how much of what it did. */
export const figuresOf = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split("\n")
    .filter((line) => isFigure.test(line))
    .map((line) => line.trim());

/**
 * The groups with only the parts that were asked for, by the beginnings of their names; all where nothing was.
 * @throws Error that lists the names where none begins so
 */
export function chosen(groups: readonly Group[], names: readonly string[]): Group[] {
  const all = groups.flatMap(({ parts }) => parts.map(({ name }) => name));
  for (const name of names)
    if (!all.some((one) => one.startsWith(name)))
      throw new Error(`no part is called ${name}; there are ${all.join(", ")}`);
  const isMeant = ({ name }: Part) => names.length === 0 || names.some((one) => name.startsWith(one));
  return groups.map(({ atOnce, parts }) => ({ atOnce, parts: parts.filter(isMeant) }));
}

function runPart({ name, command, env }: Part, folder: string): Promise<PartResult> {
  const log = join(folder, `${name}.log`);
  const [program, ...args] = command;
  const begun = performance.now();
  return new Promise((done) => {
    const output = openSync(log, "w");
    const child = spawn(program, args, {
      stdio: ["ignore", output, output],
      env: { ...process.env, ...env },
    });
    // It closes after that as well.
    child.once("error", ({ message }) => appendFileSync(log, `${message}\n`));
    child.once("close", (status) => {
      closeSync(output);
      const seconds = (performance.now() - begun) / 1_000;
      done({ name, passed: status === 0, seconds, figures: figuresOf(readFileSync(log, "utf8")), log });
    });
  });
}

/**
 * Runs the groups one after the other, and goes on after a part that failed.
 * @param folder where the logs go
 * @param onEnd told of each part when it has ended
 */
export async function runParts(
  groups: readonly Group[],
  folder: string,
  onEnd: (result: PartResult) => void = () => {},
): Promise<PartResult[]> {
  mkdirSync(folder, { recursive: true });
  const results: PartResult[] = [];
  for (const { atOnce, parts } of groups) {
    const left = [...parts];
    const work = async () => {
      for (let part = left.shift(); part !== undefined; part = left.shift()) {
        const result = await runPart(part, folder);
        results.push(result);
        onEnd(result);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
  return results;
}

/** A part that has ended, as a person reads it. */
export function reportOf({ name, passed, seconds, figures, log }: PartResult): string {
  const minutes = (seconds / 60).toFixed(1);
  const head = `${name} ${passed ? "passed" : "FAILED"} after ${minutes} min (${log})`;
  return [head, ...figures.map((line) => `    ${line}`)].join("\n");
}
