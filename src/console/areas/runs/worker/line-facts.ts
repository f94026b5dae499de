import type { Level } from "../log/line.ts";
import type { ReadTimeline } from "../log/timeline.ts";
import { type LogFacts, levelCodes, overwrites } from "./log-reading.ts";
import type { RunLogFacts } from "./run-log.ts";

const hidden = 8;
/** More are counted, but not drawn one by one. */
const mostErrorLines = 100_000;
const levels: readonly Level[] = ["plain", "warning", "error"];

/** The page's copy of what lines mean: a byte and a number for each line, so that filters need no text. */
export class LineFacts implements RunLogFacts {
  #levels = new Uint8Array(1 << 10);
  #nodes = new Uint16Array(1 << 10);
  #length = 0;
  #counts = [0, 0, 0];
  #overwritten = 0;
  readonly #errorLines: number[] = [];
  readonly #names: string[] = [];
  #timeline: ReadTimeline = { spans: [], leftOut: 0 };

  get length(): number {
    return this.#length;
  }
  get version(): number {
    return this.#length;
  }
  get warnings(): number {
    return this.#counts[levelCodes.warning] ?? 0;
  }
  get errors(): number {
    return this.#counts[levelCodes.error] ?? 0;
  }
  get errorLines(): readonly number[] {
    return this.#errorLines;
  }
  get firstError(): number | null {
    return this.#errorLines.find((line) => !this.isOverwritten(line)) ?? null;
  }
  get overwritten(): number {
    return this.#overwritten;
  }
  get names(): readonly string[] {
    return this.#names;
  }
  get timeline(): ReadTimeline {
    return this.#timeline;
  }

  levelOf(line: number): Level {
    return levels[(this.#levels[line] ?? 0) & 3] ?? "plain";
  }
  nodeOf(line: number): number {
    return this.#nodes[line] ?? 0;
  }
  isOverwritten(line: number): boolean {
    return line < this.#length && ((this.#levels[line] ?? 0) & hidden) !== 0;
  }

  /** @returns whether they follow on what is known; others are left out */
  add(facts: LogFacts): boolean {
    if (facts.from !== this.#length) return false;
    const length = this.#length + facts.levels.length;
    this.#grow(length);
    this.#levels.set(facts.levels, this.#length);
    this.#nodes.set(facts.nodes, this.#length);
    for (let line = this.#length; line < length; line += 1) {
      const code = this.#levels[line] ?? 0;
      this.#count(code & 3, 1);
      if ((code & 3) === levelCodes.error && this.#errorLines.length < mostErrorLines) {
        this.#errorLines.push(line);
      }
      if ((code & overwrites) !== 0) this.#hide(line - 1);
    }
    this.#length = length;
    this.#names.push(...facts.names);
    this.#timeline = facts.timeline;
    return true;
  }

  #hide(line: number): void {
    const code = this.#levels[line];
    if (code === undefined) return;
    this.#levels[line] = code | hidden;
    this.#count(code & 3, -1);
    this.#overwritten += 1;
  }

  #count(level: number, by: number): void {
    this.#counts[level] = (this.#counts[level] ?? 0) + by;
  }

  #grow(length: number): void {
    if (length <= this.#levels.length) return;
    const size = Math.max(length, this.#levels.length * 2);
    const levelsBefore = this.#levels;
    const nodesBefore = this.#nodes;
    this.#levels = new Uint8Array(size);
    this.#levels.set(levelsBefore);
    this.#nodes = new Uint16Array(size);
    this.#nodes.set(nodesBefore);
  }
}
