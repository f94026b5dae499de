import type { Level } from "../log/line.ts";
import type { ReadTimeline } from "../log/timeline.ts";
import type { LineBlock } from "./body-scanner.ts";
import { lineText } from "./held-log.ts";
import { LineFacts } from "./line-facts.ts";
import type { LogFacts } from "./log-reading.ts";

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
  readonly subscribe: (listener: () => void) => () => void;
}

/** What a read brings over from the worker: keep the first lines, then add these. */
interface LogPatch {
  readonly keep: number;
  readonly blocks: readonly LineBlock[];
  readonly change: LogChange;
  readonly epoch: number;
  /** What the lines mean that come next; null: it is told later. */
  readonly facts: LogFacts | null;
}

interface Chunk extends LineBlock {
  readonly first: number;
  count: number;
}

const largeLine = 1 << 15;
const largeLinesKept = 32;
/** Between two tellings of what lines mean, in ms. */
const quiet = 150;
const smallPatch = 1 << 16;

/** The page's copy of a log: chunks of bytes as they came over; text is made for the lines that are asked for. */
export class PatchedLog implements RunLog {
  #chunks: Chunk[] = [];
  #length = 0;
  #version = 0;
  #replacements = 0;
  #lastChange: LogChange = "none";
  #epoch = 0;
  #toldAt = 0;
  #facts = new LineFacts();
  readonly #listeners = new Set<() => void>();
  /** Decoding eight megabytes at every frame would be felt. */
  readonly #largeLines = new Map<number, string>();

  get length(): number {
    return this.#length;
  }
  get version(): number {
    return this.#version;
  }
  get lastChange(): LogChange {
    return this.#lastChange;
  }
  get replacements(): number {
    return this.#replacements;
  }
  get facts(): LineFacts {
    return this.#facts;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  getLines(from: number, count: number): readonly string[] {
    const lines: string[] = [];
    const end = Math.min(this.#length, from + count);
    for (let i = Math.max(0, from); i < end; i += 1) lines.push(this.#line(i));
    return lines;
  }

  apply({ keep, blocks, change, epoch, facts }: LogPatch): void {
    if (keep < this.#length || epoch !== this.#epoch) this.#facts = new LineFacts();
    this.#epoch = epoch;
    if (keep === this.#length && blocks.length === 0) {
      if (facts) this.learn(facts, epoch);
      return;
    }
    this.#truncate(keep);
    for (const block of blocks) this.#add(block);
    this.#lastChange = change;
    if (change === "replaced") this.#replacements += 1;
    this.#version += 1;
    if (facts) this.#facts.add(facts);
    // What long logs mean waits until their lines are drawn.
    this.#toldAt = performance.now();
    this.#tell();
  }

  /** Takes what the worker has read in the lines; facts of a log that was replaced meanwhile are left. */
  learn(facts: LogFacts, epoch: number): void {
    if (epoch !== this.#epoch || !this.#facts.add(facts)) return;
    // A long log is told of in many pieces, faster than anybody looks.
    const now = performance.now();
    if (this.#facts.length < this.#length && now - this.#toldAt < quiet) return;
    this.#toldAt = now;
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #line(index: number): string {
    const kept = this.#largeLines.get(index);
    if (kept !== undefined) return kept;
    const chunk = this.#chunkOf(index);
    if (!chunk) return "";
    const at = index - chunk.first;
    const literal = chunk.bytes.subarray(chunk.starts[at], chunk.ends[at]);
    const text = lineText(literal);
    if (literal.length > largeLine) {
      const oldest = this.#largeLines.keys().next();
      if (this.#largeLines.size >= largeLinesKept && !oldest.done) this.#largeLines.delete(oldest.value);
      this.#largeLines.set(index, text);
    }
    return text;
  }

  #chunkOf(index: number): Chunk | undefined {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle]?.first ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return this.#chunks[low];
  }

  #truncate(keep: number): void {
    if (keep >= this.#length) return;
    this.#largeLines.clear();
    this.#chunks = this.#chunks.filter((chunk) => chunk.first < keep);
    const last = this.#chunks.at(-1);
    if (last) last.count = Math.min(last.count, keep - last.first);
    this.#length = keep;
  }

  #add({ bytes, starts, ends }: LineBlock): void {
    const last = this.#chunks.at(-1);
    // A few lines at every poll for hours would become thousands of chunks: small neighbours are joined.
    if (last && last.bytes.length + bytes.length <= smallPatch) {
      this.#chunks[this.#chunks.length - 1] = joined(last, bytes, starts, ends);
    } else {
      this.#chunks.push({ first: this.#length, count: starts.length, bytes, starts, ends });
    }
    this.#length += starts.length;
  }
}

function joined(a: Chunk, bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array): Chunk {
  const offset = a.bytes.length;
  const all = new Uint8Array(offset + bytes.length);
  all.set(a.bytes);
  all.set(bytes, offset);
  return {
    first: a.first,
    count: a.count + starts.length,
    bytes: all,
    starts: concat(a.starts.subarray(0, a.count), starts, offset),
    ends: concat(a.ends.subarray(0, a.count), ends, offset),
  };
}

function concat(a: Uint32Array, b: Uint32Array, offset: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(a.length + b.length);
  all.set(a);
  for (let i = 0; i < b.length; i += 1) all[a.length + i] = (b[i] ?? 0) + offset;
  return all;
}
