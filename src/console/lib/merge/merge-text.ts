import { diffIndices } from "node-diff3";

/**
 * Lines of a text in a merge, in order. `same`: nobody changed them. `mine`, `theirs`: one side did, and `lines` are
 * that side's. `both`: both made the same change. `base` are the lines that were there before.
 */
export type TextChunk =
  | {
      readonly kind: "same" | "mine" | "theirs" | "both";
      readonly lines: readonly string[];
      readonly base: readonly string[];
    }
  | TextConflict;

/** Both sides changed the same lines differently; `id` names it in the choices. */
export interface TextConflict {
  readonly kind: "conflict";
  readonly id: string;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/** A text of which the lines were merged. */
export interface MergedText {
  readonly chunks: readonly TextChunk[];
  /** How the lines of the result are joined. */
  readonly lineBreak: "\n" | "\r\n";
}

/**
 * Merges two changes of one text by line; changes of lines that touch each other are a conflict. A null text has no
 * lines. Where one side changed nothing, the other side's lines all arrive as they are.
 * @param idOf the id of the n-th conflict, counted from 0 in the order of the base
 */
export function mergeText(
  base: string | null,
  theirs: string | null,
  mine: string | null,
  idOf: (index: number) => string,
): MergedText {
  const texts = [base, theirs, mine].filter((text) => text !== null && text !== "");
  const windows = texts.map((text) => text?.includes("\r\n"));
  // An editor may have changed only the line breaks: then these are no change.
  const mixed = windows.includes(true) && windows.includes(false);
  const lineBreak = mixed && theirs?.includes("\r\n") ? "\r\n" : "\n";
  const split = (text: string | null) => (text === null ? [] : text.split(mixed ? /\r?\n/ : "\n"));
  return { chunks: chunksOf(split(base), split(theirs), split(mine), idOf), lineBreak };
}

/** The lines of a merged text as the text that is sent; no line at all is null. */
export function joinLines(lines: readonly string[], lineBreak: string): string | null {
  return lines.length === 0 ? null : lines.join(lineBreak);
}

type Lines = readonly string[];

function chunksOf(base: Lines, theirs: Lines, mine: Lines, idOf: (index: number) => string): TextChunk[] {
  // Cut off what all three share: what is left is small, and repeated lines elsewhere cannot be mixed up.
  const start = sharedStart(base, theirs, mine);
  const end = sharedEnd(base, theirs, mine, start);
  const inner = (lines: Lines) => lines.slice(start, lines.length - end);
  const same = (lines: Lines): TextChunk[] =>
    lines.length === 0 ? [] : [{ kind: "same", lines, base: lines }];
  return [
    ...same(base.slice(0, start)),
    ...parts(inner(base), inner(theirs), inner(mine), idOf),
    ...same(base.slice(base.length - end)),
  ];
}

/** A part of the base that a side changed, and the lines that stand there now. */
interface Hunk {
  readonly side: "mine" | "theirs";
  /** Lines `from` to `to` (exclusive) of the base. */
  readonly from: number;
  readonly to: number;
  /** How many lines more (or less) the side has here. */
  readonly grown: number;
}

/** Pairs of equal lines above which a comparison by line takes seconds; then the changed part is one place. */
const mostPairs = 200_000;

/** What `diffIndices` gives: its own types say `any`. Each is `[start, length]`. */
interface Found {
  readonly buffer1: readonly [number, number];
  readonly buffer2: readonly [number, number];
}

function hunksOf(side: Hunk["side"], base: Lines, changed: Lines): Hunk[] {
  if (pairs(base, changed) > mostPairs) {
    return [{ side, from: 0, to: base.length, grown: changed.length - base.length }];
  }
  const found: Found[] = diffIndices([...base], [...changed]);
  return found.map(({ buffer1: [from, length], buffer2: [, lines] }) => ({
    side,
    from,
    to: from + length,
    grown: lines - length,
  }));
}

/** The base from start to end, cut where a side's changes begin and end; changes that touch are one part. */
function parts(base: Lines, theirs: Lines, mine: Lines, idOf: (index: number) => string): TextChunk[] {
  const hunks = [...hunksOf("mine", base, mine), ...hunksOf("theirs", base, theirs)];
  hunks.sort((a, b) => a.from - b.from || a.to - b.to);
  const result: TextChunk[] = [];
  const grown = { mine: 0, theirs: 0 };
  let at = 0;
  let conflicts = 0;
  const keep = (to: number) => {
    const lines = base.slice(at, to);
    if (lines.length > 0) result.push({ kind: "same", lines, base: lines });
    at = to;
  };
  for (let index = 0; index < hunks.length; ) {
    const from = hunks[index]?.from ?? 0;
    let to = from;
    keep(from);
    const before = { ...grown };
    const sides = new Set<Hunk["side"]>();
    for (let hunk = hunks[index]; hunk !== undefined && hunk.from <= to; hunk = hunks[index]) {
      to = Math.max(to, hunk.to);
      grown[hunk.side] += hunk.grown;
      sides.add(hunk.side);
      index += 1;
    }
    const there = base.slice(from, to);
    const ours = mine.slice(from + before.mine, to + grown.mine);
    const other = theirs.slice(from + before.theirs, to + grown.theirs);
    at = to;
    if (!sides.has("theirs")) result.push({ kind: "mine", lines: ours, base: there });
    else if (!sides.has("mine")) result.push({ kind: "theirs", lines: other, base: there });
    else if (equalLines(ours, other)) result.push({ kind: "both", lines: ours, base: there });
    else {
      result.push({ kind: "conflict", id: idOf(conflicts), base: there, mine: ours, theirs: other });
      conflicts += 1;
    }
  }
  keep(base.length);
  return result;
}

function equalLines(a: Lines, b: Lines): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function sharedStart(base: Lines, theirs: Lines, mine: Lines): number {
  const most = Math.min(base.length, theirs.length, mine.length);
  let count = 0;
  while (count < most && base[count] === mine[count] && base[count] === theirs[count]) count += 1;
  return count;
}

function sharedEnd(base: Lines, theirs: Lines, mine: Lines, start: number): number {
  const most = Math.min(base.length, theirs.length, mine.length) - start;
  let count = 0;
  const last = (lines: Lines) => lines[lines.length - 1 - count];
  while (count < most && last(base) === last(mine) && last(base) === last(theirs)) count += 1;
  return count;
}

function pairs(a: Lines, b: Lines): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
