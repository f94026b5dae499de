import type { RunLog, RunLogFacts } from "../worker/run-log.ts";
import type { Level } from "./line.ts";

/** Which lines are shown. */
export interface LogFilter {
  readonly level: Exclude<Level, "plain"> | "all";
  /** Names of nodes; empty: all of them, and lines of none. */
  readonly nodes: ReadonlySet<string>;
}

/**
 * The rows of a log: all lines, but those that others were written over, or those that a filter leaves. Lines whose
 * meaning the worker has not told yet are rows only without a filter. Lines are 0-based.
 */
export class LogView {
  readonly #log: RunLog;
  readonly #filter: LogFilter;
  #facts: RunLogFacts;
  #rows = new Uint32Array(0);
  #length = 0;
  #read = 0;
  #shape = 0;
  #isWhole = true;

  constructor(log: RunLog, filter: LogFilter) {
    this.#log = log;
    this.#filter = filter;
    this.#facts = log.facts;
    this.update();
  }

  get isFiltered(): boolean {
    return this.#filter.level !== "all" || this.#filter.nodes.size > 0;
  }

  /** Rises when rows are other rows now, instead of more. */
  get shape(): number {
    return this.#shape;
  }

  get count(): number {
    return this.#isWhole ? this.#log.length : this.#length + this.#tail();
  }

  lineAt(row: number): number {
    if (this.#isWhole) return row;
    return row < this.#length ? (this.#rows[row] ?? 0) : this.#read + row - this.#length;
  }

  /** The row of a line, or the next one after it where the line is not shown. */
  rowOf(line: number): number {
    if (this.#isWhole) return line;
    if (line >= this.#read) return this.#length + Math.min(line - this.#read, this.#tail());
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle] ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether a line is one of the rows. */
  readonly shows = (line: number): boolean => {
    const row = this.rowOf(line);
    return row < this.count && this.lineAt(row) === line;
  };

  /** Takes what came since: only that is looked at. */
  update(): void {
    const { facts } = this.#log;
    const isWhole = !this.isFiltered && facts.overwritten === 0;
    if (facts !== this.#facts || isWhole !== this.#isWhole) {
      this.#facts = facts;
      this.#isWhole = isWhole;
      this.#length = 0;
      this.#read = 0;
      this.#shape += 1;
    }
    if (isWhole) return;
    // The last row may have been written over since.
    while (this.#length > 0 && facts.isOverwritten(this.#rows[this.#length - 1] ?? 0)) this.#length -= 1;
    const numbers = new Set(
      facts.names.flatMap((name, at) => (this.#filter.nodes.has(name) ? [at + 1] : [])),
    );
    const end = Math.min(facts.length, this.#log.length);
    for (; this.#read < end; this.#read += 1)
      if (this.#passes(facts, this.#read, numbers)) this.#push(this.#read);
  }

  #passes(facts: RunLogFacts, line: number, numbers: ReadonlySet<number>): boolean {
    const { level, nodes } = this.#filter;
    if (facts.isOverwritten(line)) return false;
    if (level !== "all" && facts.levelOf(line) !== level) return false;
    return nodes.size === 0 || numbers.has(facts.nodeOf(line));
  }

  #tail(): number {
    return this.isFiltered ? 0 : Math.max(0, this.#log.length - this.#read);
  }

  #push(line: number): void {
    if (this.#length === this.#rows.length) {
      const larger = new Uint32Array(Math.max(256, this.#length * 2));
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows[this.#length] = line;
    this.#length += 1;
  }
}
