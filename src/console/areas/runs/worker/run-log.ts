import type { Level } from "../log/line.ts";
import type { ReadTimeline } from "../log/timeline.ts";

/** What the last read did to a log. `replaced`: lines that were there before have gone or read differently now. */
export type LogChange = "none" | "appended" | "replaced";

/** What the lines of a log mean, as far as the worker has read them: a little later than the lines themselves. */
export interface RunLogFacts {
  /** How many lines, from the first on, were read. */
  readonly length: number;
  /** Rises with every line that is read. Another log has other facts: compare the object too. */
  readonly version: number;
  readonly warnings: number;
  readonly errors: number;
  /** Lines of errors in order, 100,000 at most. */
  readonly errorLines: readonly number[];
  /** The first line of an error that still stands, 0-based; null while none was read. */
  readonly firstError: number | null;
  /** Lines that others were written over. */
  readonly overwritten: number;
  /** Every node in order of its first line; a node's number is its place here, counted from 1. */
  readonly names: readonly string[];
  readonly timeline: ReadTimeline;
  levelOf(line: number): Level;
  /** The number of a line's node; 0 for none. */
  nodeOf(line: number): number;
  isOverwritten(line: number): boolean;
}

/** A run's log on the page's side: any window of it at once, however long it is. */
export interface RunLog {
  /** How many lines there are. */
  readonly length: number;
  /** Rises at every change; for `useSyncExternalStore`. */
  readonly version: number;
  readonly lastChange: LogChange;
  /** How often lines that were there have been taken back; a page says so in a word. */
  readonly replacements: number;
  readonly facts: RunLogFacts;
  /** The lines `from` … `from + count - 1` as far as they exist; carriage returns are folded to the last. */
  getLines(from: number, count: number): readonly string[];
  subscribe(listener: () => void): () => void;
}
