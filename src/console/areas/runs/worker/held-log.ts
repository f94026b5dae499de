import { eachLine, overwriting } from "../log/line.ts";
import type { LineBlock, LineSink } from "./body-scanner.ts";

/** Lines that go over to the page, in order. */
export type SendLines = (block: LineBlock, isFirst: boolean) => void;

const nothing = new Uint8Array(0);
const backslash = 0x5c;
const letterR = 0x72;
const blank = 0x20;
const bracket = 0x5d;
const longestPrefix = 250;

/** The worker's copy of one log, as blocks of bytes. */
export class HeldLog {
  readonly #blocks: LineBlock[] = [];
  /** The first line of each block. */
  readonly #firsts: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get blocks(): readonly LineBlock[] {
    return this.#blocks;
  }

  add(block: LineBlock): void {
    this.#blocks.push(block);
    this.#firsts.push(this.#length);
    this.#length += block.starts.length;
  }

  /** Which block holds a line, and the number of that block's first line. */
  find(line: number): { at: number; first: number } {
    let low = 0;
    let high = this.#firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firsts[middle] ?? 0) <= line) low = middle;
      else high = middle - 1;
    }
    return { at: low, first: this.#firsts[low] ?? 0 };
  }

  text(line: number): string {
    return lineText(this.#literal(line));
  }

  /** Whether a line ends with a carriage return, so that the next one is written over it. */
  endsWithReturn(line: number): boolean {
    const literal = this.#literal(line);
    const end = literal.length - 1;
    return literal[end - 1] === letterR && literal[end - 2] === backslash && literal[end - 3] !== backslash;
  }

  /** Whether a line begins with a carriage return, behind its time and node. */
  startsWithReturn(line: number): boolean {
    const literal = this.#literal(line);
    const at = literal.subarray(0, longestPrefix).indexOf(backslash);
    return (
      literal[at + 1] === letterR && (at === 1 || (literal[at - 1] === blank && literal[at - 2] === bracket))
    );
  }

  #literal(line: number): Uint8Array {
    const { at, first } = this.find(line);
    const block = this.#blocks[at];
    return block ? block.bytes.subarray(block.starts[line - first], block.ends[line - first]) : nothing;
  }
}

/** The text of one line of a block. */
export function textIn({ bytes, starts, ends }: LineBlock, at: number): string {
  return lineText(bytes.subarray(starts[at], ends[at]));
}

/**
 * Compares a log that arrives with the one before it, line by line, and sends only what follows the lines that both
 * have. Both come from one writer, so equal lines have equal bytes.
 */
export class LogComparison implements LineSink {
  readonly #before: HeldLog | undefined;
  readonly #send: SendLines;
  #after = new HeldLog();
  #keep = 0;
  #isSame = true;
  #isFirst = true;

  constructor(before: HeldLog | undefined, send: SendLines) {
    this.#before = before;
    this.#send = send;
  }

  begin(): void {
    this.#after = new HeldLog();
    this.#keep = 0;
    this.#isSame = true;
    this.#isFirst = true;
  }

  block(block: LineBlock): void {
    this.#after.add(block);
    const same = this.#isSame ? this.#sharedWith(block) : 0;
    this.#keep += same;
    if (same === block.starts.length) return;
    this.#isSame = false;
    this.#send(part(block, same), this.#isFirst);
    this.#isFirst = false;
  }

  /** The new log, and how many lines at its beginning are those of the log before. */
  result(): { log: HeldLog; keep: number } {
    return { log: this.#after, keep: this.#keep };
  }

  /** How many lines at the block's beginning stand at the same place in the log before. */
  #sharedWith({ bytes, starts, ends }: LineBlock): number {
    const before = this.#before;
    if (!before || this.#keep >= before.length) return 0;
    let { at, first } = before.find(this.#keep);
    let old = before.blocks[at];
    let oldLine = this.#keep - first;
    for (let line = 0; line < starts.length; line += 1) {
      if (old && oldLine >= old.starts.length) {
        at += 1;
        first += old.starts.length;
        old = before.blocks[at];
        oldLine = 0;
      }
      if (!old) return line;
      const from = starts[line] ?? 0;
      const length = (ends[line] ?? 0) - from;
      const oldFrom = old.starts[oldLine] ?? 0;
      if ((old.ends[oldLine] ?? 0) - oldFrom !== length) return line;
      for (let i = 0; i < length; i += 1) if (bytes[from + i] !== old.bytes[oldFrom + i]) return line;
      oldLine += 1;
    }
    return starts.length;
  }
}

/** A copy of a block from one of its lines on, which may be given away. */
function part({ bytes, starts, ends }: LineBlock, line: number): LineBlock {
  const from = starts[line] ?? 0;
  return {
    bytes: bytes.slice(from, ends.at(-1)),
    starts: starts.slice(line).map((start) => start - from),
    ends: ends.slice(line).map((end) => end - from),
  };
}

const decoder = new TextDecoder();

/**
 * The text of one line from its JSON literal. Anything that is no string, or not quite one, is shown as it came.
 * Updates of the same line by carriage returns are folded to the last one; a time and node in front of them stay.
 */
export function lineText(literal: Uint8Array): string {
  const text = decoder.decode(literal);
  if (!text.startsWith('"')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "string" ? foldReturns(parsed) : text;
  } catch {
    return text.slice(1, -1);
  }
}

const prefix = /^\d{4}-\d{2}-\d{2}[T ]\S+ (?:\[[^\]\r\n]{0,200}\] )?/;

/** What a terminal would show of a text of which lines were written over again and again. */
export function foldReturns(text: string): string {
  if (!text.includes("\r")) return text;
  // Tried once for each stretch of them, not at each of its characters.
  const whole = text.replace(/(?<![\r\n])[\r\n]+$/, "");
  if (!overwriting.test(whole)) return whole;
  return eachLine(whole, foldLine);
}

function foldLine(line: string): string {
  const parts = line.split(overwriting);
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return line;
  const kept = prefix.exec(line)?.[0] ?? "";
  return prefix.test(last) ? last : kept + last;
}
