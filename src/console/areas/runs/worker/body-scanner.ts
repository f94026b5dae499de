/** Some lines of a log as they are on the wire: JSON literals, quotes included. `starts` and `ends` count in `bytes`. */
export interface LineBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** Takes the lines while the body arrives. */
export interface LineSink {
  /** A log begins; what was told of one before it does not count (JSON.parse, too, takes the last of two). */
  begin(): void;
  block(block: LineBlock): void;
}

/** Lines are handed on when they are this many bytes, and at the end of the log. */
const blockSize = 1 << 20;

/**
 * Reads the body of `get_pl_run` while it arrives and hands the log's lines on as they are on the wire, in blocks. No text
 * is made of a line before somebody looks at it, so a million lines cost little more than their bytes, and when the last
 * byte comes only the last block is left to do.
 */
export class BodyScanner {
  readonly #sink: LineSink;
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #at = 0;
  #mode: Mode = modes.start;
  #depth = 0;
  #quoted = false;
  #tokenStart = 0;
  #keyIsLog = false;
  /** Where what is neither handed on nor part of the log begins, and where the log does. */
  #restFrom = 0;
  #logFrom = 0;
  #rest: Uint8Array[] = [];
  #lines = new Ranges();
  #size = 0;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = needed;
    this.#size += chunk.length;
    this.#scan();
    if (this.#inLog() && this.#lines.end - this.#logFrom >= blockSize) this.#turnOver();
  }

  /** The body without the log's content, as text: JSON of every other field, with `"log":[]`. */
  rest(): string {
    const decoder = new TextDecoder();
    // A log that never ended stays out; what is left is not JSON then, and is reported as cut off.
    const to = this.#inLog() ? this.#logFrom : this.#length;
    const last = this.#bytes.subarray(this.#restFrom, Math.max(this.#restFrom, to));
    return [...this.#rest, last].map((part) => decoder.decode(part)).join("");
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  #inLog(): boolean {
    return this.#mode === modes.logGap || this.#mode === modes.logText || this.#mode === modes.logOther;
  }

  #keepRest(): void {
    if (this.#logFrom > this.#restFrom) this.#rest.push(this.#bytes.slice(this.#restFrom, this.#logFrom));
  }

  #handOn(): void {
    if (this.#lines.count > 0) this.#sink.block(this.#lines.block(this.#bytes));
    this.#lines = new Ranges();
  }

  /** Hands on the lines that are complete and goes on with what is behind them, in the same memory. */
  #turnOver(): void {
    this.#keepRest();
    const from = this.#lines.end;
    this.#handOn();
    this.#bytes.copyWithin(0, from, this.#length);
    this.#length -= from;
    this.#at -= from;
    this.#tokenStart -= from;
    this.#restFrom = 0;
    this.#logFrom = 0;
  }

  #scan(): void {
    const end = this.#length;
    // Only what has come: behind it are bytes of before.
    const bytes = this.#bytes.subarray(0, end);
    let at = this.#at;
    while (at < end) {
      const byte = bytes[at] ?? 0;
      switch (this.#mode) {
        case modes.start:
          // A byte order mark and blanks may come before the object.
          if (byte === open) this.#mode = modes.keyGap;
          else if (byte !== 0xef && byte !== 0xbb && byte !== 0xbf && !isBlank(byte)) this.#mode = modes.done;
          at += 1;
          break;
        case modes.keyGap:
          if (byte === quote) {
            this.#mode = modes.key;
            this.#tokenStart = at + 1;
          } else if (byte === close) this.#mode = modes.done;
          at += 1;
          break;
        case modes.key:
          if (byte === backslash) {
            at += 2;
            break;
          }
          if (byte === quote) {
            this.#keyIsLog = at - this.#tokenStart === 3 && isLog(bytes, this.#tokenStart);
            this.#mode = modes.keyEnd;
          }
          at += 1;
          break;
        case modes.keyEnd:
          if (byte === colon) this.#mode = modes.valueGap;
          at += 1;
          break;
        case modes.valueGap:
          if (isBlank(byte)) at += 1;
          else if (this.#keyIsLog && byte === openList) {
            // The last of two logs counts, as it does in JSON.parse.
            this.#lines = new Ranges();
            this.#sink.begin();
            this.#logFrom = at + 1;
            this.#mode = modes.logGap;
            at += 1;
          } else {
            this.#depth = 0;
            this.#quoted = false;
            this.#mode = modes.value;
          }
          break;
        case modes.value:
          at = this.#skip(bytes, at, end, close);
          break;
        case modes.logGap:
          if (byte === quote) {
            this.#tokenStart = at;
            this.#mode = modes.logText;
            at += 1;
          } else if (byte === closeList) {
            this.#keepRest();
            this.#handOn();
            this.#restFrom = at;
            this.#mode = modes.keyGap;
            at += 1;
          } else if (isBlank(byte) || byte === comma) at += 1;
          else {
            this.#tokenStart = at;
            this.#depth = 0;
            this.#quoted = false;
            this.#mode = modes.logOther;
          }
          break;
        case modes.logText: {
          const i = this.#endOfText(bytes, at);
          if (i < end) {
            this.#lines.add(this.#tokenStart, i + 1);
            this.#mode = modes.logGap;
          }
          at = i < end ? i + 1 : end;
          break;
        }
        case modes.logOther:
          at = this.#skip(bytes, at, end, closeList);
          break;
        default:
          at = end;
      }
    }
    this.#at = at;
  }

  /** The closing quote of the text that begins at the token's start, or the end of what has come. */
  #endOfText(bytes: Uint8Array, from: number): number {
    const begin = this.#tokenStart + 1;
    let at = from;
    for (;;) {
      const found = bytes.indexOf(quote, at);
      if (found < 0) return bytes.length;
      let back = found;
      while (back > begin && bytes[back - 1] === backslash) back -= 1;
      if ((found - back) % 2 === 0) return found;
      at = found + 1;
    }
  }

  /** Skips a value up to the comma or bracket behind it. */
  #skip(bytes: Uint8Array, from: number, end: number, closing: number): number {
    let at = from;
    while (at < end) {
      const byte = bytes[at] ?? 0;
      if (this.#quoted) {
        if (byte === quote) this.#quoted = false;
        at += byte === backslash ? 2 : 1;
        continue;
      }
      if (byte === quote) this.#quoted = true;
      else if (byte === open || byte === openList) this.#depth += 1;
      else if (this.#depth === 0 && (byte === comma || byte === closing)) {
        if (this.#mode === modes.logOther) {
          this.#lines.add(this.#tokenStart, at);
          this.#mode = modes.logGap;
        } else this.#mode = modes.keyGap;
        return at;
      } else if (byte === close || byte === closeList) this.#depth -= 1;
      at += 1;
    }
    return at;
  }
}

/** Two growing lists of positions. */
class Ranges {
  #starts = new Uint32Array(256);
  #ends = new Uint32Array(256);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Where the last one ends. */
  get end(): number {
    return this.#ends[this.#count - 1] ?? 0;
  }

  add(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
  }

  /** A copy of the lines' bytes, with positions in it. */
  block(bytes: Uint8Array<ArrayBuffer>): LineBlock {
    const from = this.#starts[0] ?? 0;
    return {
      bytes: bytes.slice(from, this.end),
      starts: this.#starts.slice(0, this.#count).map((start) => start - from),
      ends: this.#ends.slice(0, this.#count).map((end) => end - from),
    };
  }
}

function grown(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(list.length * 2);
  larger.set(list);
  return larger;
}

const modes = {
  start: 0,
  keyGap: 1,
  key: 2,
  keyEnd: 3,
  valueGap: 4,
  value: 5,
  logGap: 6,
  logText: 7,
  logOther: 8,
  done: 9,
} as const;
type Mode = (typeof modes)[keyof typeof modes];

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const open = 0x7b;
const close = 0x7d;

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isLog(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x6c && bytes[at + 1] === 0x6f && bytes[at + 2] === 0x67;
}
