/**
 * Reads the body of `get_pl_run` while it arrives and keeps the log's lines as they are on the wire: one block of bytes
 * and where each line begins and ends. No text is made of a line before somebody looks at it, so a million lines cost
 * little more than their bytes, and almost all work is done when the last byte comes.
 */
export class BodyScanner {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #at = 0;
  #mode: Mode = modes.start;
  #depth = 0;
  #quoted = false;
  #tokenStart = 0;
  #keyIsLog = false;
  #cuts: { from: number; to: number }[] = [];
  #lines = new Ranges();

  /** @param expected bytes, to avoid growing: the size of the answer before */
  constructor(expected = 1 << 16) {
    this.#bytes = new Uint8Array(Math.max(expected, 1 << 10));
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
    this.#scan();
  }

  /** The lines so far. Their bytes are JSON literals, quotes included. */
  finish(): ScannedLines {
    return { bytes: this.#bytes, ...this.#lines.slices() };
  }

  /** The body without the log's content, as text: JSON of every other field, with `"log":[]`. */
  rest(): string {
    const decoder = new TextDecoder();
    let text = "";
    let from = 0;
    for (const cut of this.#cuts) {
      text += decoder.decode(this.#bytes.subarray(from, cut.from));
      from = cut.to;
    }
    // A log that never ended stays out; what is left is not JSON then, and is reported as cut off.
    const to = this.#inLog() ? this.#cutFrom : this.#length;
    return text + decoder.decode(this.#bytes.subarray(from, Math.max(from, to)));
  }

  get size(): number {
    return this.#length;
  }

  #cutFrom = 0;

  #inLog(): boolean {
    return this.#mode === modes.logGap || this.#mode === modes.logText || this.#mode === modes.logOther;
  }

  #scan(): void {
    const bytes = this.#bytes;
    const end = this.#length;
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
            this.#cutFrom = at + 1;
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
            this.#cuts.push({ from: this.#cutFrom, to: at });
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
          let i = at;
          while (i < end) {
            const one = bytes[i];
            if (one === quote) break;
            i += one === backslash ? 2 : 1;
          }
          if (i < end) {
            this.#lines.add(this.#tokenStart, i + 1);
            this.#mode = modes.logGap;
            i += 1;
          }
          at = i;
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

/** The lines of one body. `starts` and `ends` are positions in `bytes`. */
export interface ScannedLines {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** Two growing lists of positions. */
class Ranges {
  #starts = new Uint32Array(256);
  #ends = new Uint32Array(256);
  #count = 0;

  add(start: number, end: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
  }

  slices() {
    return { starts: this.#starts.subarray(0, this.#count), ends: this.#ends.subarray(0, this.#count) };
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
