import { diffArrays } from "diff";
import { normalizeLine } from "./normalize-line.ts";

/** How two lines beside each other compare: `values`: the same words with other values; `other`: not the same thing. */
export const rowKinds = { same: 0, values: 1, other: 2 } as const;

/** Two lists of lines beside each other. */
export interface Comparison {
  /** Two numbers for each row: the 0-based line of A and that of B; -1 where that side has none. */
  readonly rows: Int32Array<ArrayBuffer>;
  /** For each row one of `rowKinds`. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** False: they are so different that their middle is shown line by line, not lined up. */
  readonly isLinedUp: boolean;
}

/** How alike two lines have to be to count as one that differs in its values. */
const alike = 0.5;
/** Lining up costs the square of the difference: more than this is not tried, in a worker. */
const most = 20_000;
const timeout = 4_000;
const mostPairs = 40_000;
/** How far into a line its likeness is looked for. */
const looked = 300;

interface Options {
  /** Puts times and ids out of the way first. */
  readonly even?: boolean;
  /** Those of the runs themselves. */
  readonly ids?: readonly string[];
  /** How many lines may differ before they are no more lined up; fewer on the page's own thread. */
  readonly mostEdits?: number;
}

/** Lines up two lists of lines. */
export function compareLines(
  a: readonly string[],
  b: readonly string[],
  { even = false, ids = [], mostEdits = most }: Options = {},
): Comparison {
  const read = even ? (line: string) => normalizeLine(line, ids) : (line: string) => line;
  const left = a.map(read);
  const right = b.map(read);
  let head = 0;
  const shorter = Math.min(left.length, right.length);
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;

  const rows = new Rows(left.length + right.length);
  for (let at = 0; at < head; at += 1) rows.add(at, at, rowKinds.same);
  const isLinedUp = middle(left, right, [head, tail], rows, mostEdits);
  for (let at = tail; at > 0; at -= 1) rows.add(left.length - at, right.length - at, rowKinds.same);
  return { ...rows.end(), isLinedUp };
}

class Rows {
  readonly #rows: Int32Array<ArrayBuffer>;
  readonly #kinds: Uint8Array<ArrayBuffer>;
  #count = 0;

  constructor(most: number) {
    this.#rows = new Int32Array(most * 2);
    this.#kinds = new Uint8Array(most);
  }

  add(a: number, b: number, kind: number): void {
    this.#rows[this.#count * 2] = a;
    this.#rows[this.#count * 2 + 1] = b;
    this.#kinds[this.#count] = kind;
    this.#count += 1;
  }

  end(): Pick<Comparison, "rows" | "kinds"> {
    return { rows: this.#rows.slice(0, this.#count * 2), kinds: this.#kinds.slice(0, this.#count) };
  }
}

/** What lies between the equal beginning and the equal end. */
function middle(
  left: readonly string[],
  right: readonly string[],
  [head, tail]: readonly [number, number],
  rows: Rows,
  mostEdits: number,
) {
  const numbers = new Map<string, number>();
  const number = (line: string) => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  const a = left.slice(head, left.length - tail).map(number);
  const b = right.slice(head, right.length - tail).map(number);
  const changes = diffArrays(a, b, { maxEditLength: mostEdits, timeout });
  if (changes === undefined) {
    hunk(left, right, [head, a.length], [head, b.length], rows);
    return false;
  }
  let atA = head;
  let atB = head;
  let removed = 0;
  let added = 0;
  const flush = () => {
    hunk(left, right, [atA - removed, removed], [atB - added, added], rows);
    removed = 0;
    added = 0;
  };
  for (const change of changes) {
    if (change.removed) {
      removed += change.count;
      atA += change.count;
    } else if (change.added) {
      added += change.count;
      atB += change.count;
    } else {
      flush();
      for (let at = 0; at < change.count; at += 1) rows.add(atA + at, atB + at, rowKinds.same);
      atA += change.count;
      atB += change.count;
    }
  }
  flush();
  return true;
}

type Span = readonly [from: number, count: number];

/** Lines of which none is equal: those that are alike are set beside each other, the others fill what is between. */
function hunk(left: readonly string[], right: readonly string[], [a, n]: Span, [b, m]: Span, rows: Rows) {
  const between = (toA: number, toB: number) => {
    for (let at = 0; at < Math.max(toA - a, toB - b); at += 1) {
      rows.add(a + at < toA ? a + at : -1, b + at < toB ? b + at : -1, rowKinds.other);
    }
    a = toA;
    b = toB;
  };
  const endA = a + n;
  const endB = b + m;
  for (const [inA, inB] of pairs(left.slice(a, endA), right.slice(b, endB))) {
    const toA = endA - n + inA;
    const toB = endB - m + inB;
    between(toA, toB);
    rows.add(toA, toB, left[toA] === right[toB] ? rowKinds.same : rowKinds.values);
    a = toA + 1;
    b = toB + 1;
  }
  between(endA, endB);
}

/** Which lines of two short lists are alike, in order: as many as can be. */
function pairs(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  const n = left.length;
  const m = right.length;
  const a = left.map(saying);
  const b = right.map(saying);
  if (n * m > mostPairs) {
    return a.flatMap((words, at) => (likeness(words, b[at]) >= alike ? [[at, at] as const] : []));
  }
  const width = m + 1;
  const best = new Float64Array((n + 1) * width);
  const score = (i: number, j: number) => {
    const like = likeness(a[i], b[j]);
    return like >= alike ? like : 0;
  };
  const scores = new Float64Array(n * m);
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let j = m - 1; j >= 0; j -= 1) {
      const like = score(i, j);
      scores[i * m + j] = like;
      const skip = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
      best[i * width + j] = Math.max(skip, like > 0 ? like + (best[(i + 1) * width + j + 1] ?? 0) : 0);
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < n && j < m; ) {
    const here = best[i * width + j] ?? 0;
    const like = scores[i * m + j] ?? 0;
    if (like > 0 && here === like + (best[(i + 1) * width + j + 1] ?? 0)) {
      found.push([i, j]);
      i += 1;
      j += 1;
    } else if (here === (best[(i + 1) * width + j] ?? 0)) i += 1;
    else j += 1;
  }
  return found;
}

/** What a line says and of which node, apart from when it said so. */
interface Saying {
  readonly node: string;
  readonly words: readonly string[];
}

const prefix = /^\uE000?\s*(?:\[([^\]]*)\])?/;

/** Times and ids never tell lines apart, whether they are shown or not. */
function saying(line: string): Saying {
  const text = normalizeLine(line.slice(0, looked));
  const [whole = "", node = ""] = prefix.exec(text) ?? [];
  return { node, words: text.slice(whole.length).match(/[\p{L}\p{N}\uE000\uE001]+/gu) ?? [] };
}

/** Share of words that two lines of one node have in common, 0 to 1. */
function likeness(a: Saying | undefined, b: Saying | undefined): number {
  if (!a || !b || a.node !== b.node) return 0;
  const count = a.words.length + b.words.length;
  if (count === 0) return 1;
  const left = new Map<string, number>();
  for (const word of a.words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b.words) {
    const rest = left.get(word) ?? 0;
    if (rest === 0) continue;
    left.set(word, rest - 1);
    common += 1;
  }
  return (2 * common) / count;
}
