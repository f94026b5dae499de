/** One guard of the product, and what is red without it. */
export interface Guard {
  /** Its name on the command line. */
  readonly id: string;
  /** Rows of docs/faults.md that it serves. */
  readonly codes: readonly [string, ...string[]];
  /** What holds because of it, in a sentence. */
  readonly holds: string;
  /** The file that has it, from the root. */
  readonly file: string;
  /** What stands there exactly once. */
  readonly text: string;
  /** What stands there when it is switched off: code that runs, and no longer guards. */
  readonly off: string;
  /** Unit tests, from the root, of which at least one is red then. */
  readonly tests: readonly [string, ...string[]];
  /** A part of the names of those that are run then, where the whole files take long; absent: all. */
  readonly named?: string;
}

/** The environment variable that names the guard to switch off in what tests run. */
export const guardVariable = "WHEELHOUSE_GUARD";

/** How often the text of a guard stands in this source. */
export const timesIn = (source: string, { text }: Guard): number => source.split(text).length - 1;

/**
 * The source without the guard.
 * @throws Error where its text does not stand there exactly once: then nothing would be shown
 */
export function switchOff(source: string, guard: Guard): string {
  const times = timesIn(source, guard);
  if (times !== 1)
    throw new Error(`The text of the guard ${guard.id} stands ${times} times in ${guard.file}`);
  return source.replace(guard.text, () => guard.off);
}
