import { plainText } from "../../../lib/ansi.ts";
import { readLine } from "../log/line.ts";
import type { LineBlock } from "./body-scanner.ts";
import { type HeldLog, textIn } from "./held-log.ts";

/** How a log is searched. */
export interface LogQuery {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** 0-based line to begin with. */
  readonly from?: number;
}

/** A pattern looks at this much of a line: on megabytes even a harmless one may take minutes. */
const regexReach = 20_000;
const mostHits = 200_000;
const atOnce = 256;

/** Looks for lines that show a text or a pattern, in node or words, in steps between other work. */
export class HeldLogSearch {
  readonly #log: HeldLog;
  readonly #query: LogQuery;
  readonly #matches: (text: string) => boolean;
  /** What each line with a hit has in its bytes; null where only reading the line can tell. */
  readonly #sign: string | null;
  #line: number;
  #found = 0;

  /** @throws SyntaxError for a pattern that is none */
  constructor(log: HeldLog, query: LogQuery) {
    this.#log = log;
    this.#query = query;
    this.#matches = matcher(query);
    this.#sign = signOf(query);
    this.#line = query.from ?? 0;
  }

  /** Goes on until `isEnough` or the end. @returns the lines found in this step, in order, and whether it was the last */
  step(isEnough: () => boolean): { hits: readonly number[]; done: boolean } {
    const hits: number[] = [];
    do {
      const { at, first } = this.#log.find(this.#line);
      const block = this.#log.blocks[at];
      if (!block || this.#line >= this.#log.length || this.#found + hits.length >= mostHits) {
        return { hits, done: true };
      }
      const candidates = this.#sign === null ? null : linesWith(block, this.#sign, this.#query.caseSensitive);
      if (candidates === null) this.#readSome(block, first, hits);
      else {
        for (const line of candidates) {
          if (first + line >= this.#line && this.#isHit(textIn(block, line))) hits.push(first + line);
        }
        this.#line = first + block.starts.length;
      }
    } while (!isEnough());
    this.#found += hits.length;
    return { hits, done: false };
  }

  #readSome(block: LineBlock, first: number, hits: number[]): void {
    const end = Math.min(first + block.starts.length, this.#line + atOnce);
    for (; this.#line < end; this.#line += 1) {
      if (this.#isHit(textIn(block, this.#line - first))) hits.push(this.#line);
    }
  }

  #isHit(raw: string): boolean {
    const { node, text } = readLine(raw);
    return this.#matches(plainText(text)) || (node !== null && this.#matches(node));
  }
}

function matcher({ text, regex, caseSensitive }: LogQuery): (line: string) => boolean {
  if (regex) {
    const pattern = new RegExp(text, caseSensitive ? "" : "i");
    return (line) => pattern.test(line.length > regexReach ? line.slice(0, regexReach) : line);
  }
  if (caseSensitive) return (line) => line.includes(text);
  const wanted = text.toLowerCase();
  return (line) => line.toLowerCase().includes(wanted);
}

/** Every byte one letter, so that places in the text are places in the bytes. */
const bytewise = new TextDecoder("latin1");

function signOf({ text, regex, caseSensitive }: LogQuery): string | null {
  if (regex || !/^[ !#-.0-[\]-~]+$/.test(text)) return null;
  return caseSensitive ? text : text.toLowerCase();
}

/** Lines of a block whose bytes hold the sign, in order; null where letters may be written in another way. */
function linesWith({ bytes, starts, ends }: LineBlock, sign: string, exact: boolean): number[] | null {
  const text = bytewise.decode(bytes);
  // A colour code may stand inside of a word, and any letter may be written as an escape.
  if (text.includes("\\u00")) return null;
  const within = exact ? text : text.toLowerCase();
  if (within.length !== bytes.length) return null;
  const lines: number[] = [];
  let line = 0;
  for (let at = within.indexOf(sign); at >= 0; at = within.indexOf(sign, at)) {
    while (line < ends.length && (ends[line] ?? 0) <= at) line += 1;
    if (line >= ends.length) break;
    if (at >= (starts[line] ?? 0)) lines.push(line);
    at = Math.max(at + 1, ends[line] ?? 0);
  }
  return lines;
}
