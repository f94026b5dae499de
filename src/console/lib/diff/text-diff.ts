import { diffArrays, diffWordsWithSpace } from "diff";

/** A piece of a line; `changed`: these words are on this side alone. */
export interface Word {
  readonly text: string;
  readonly changed: boolean;
}

/** One line of a comparison. Line numbers count from 1; null: the line is not on that side. */
export interface DiffRow {
  readonly kind: "same" | "added" | "removed";
  readonly before: number | null;
  readonly after: number | null;
  /** The line in pieces: one piece, where nothing is known of its words. */
  readonly words: readonly Word[];
}

/** Lines that the eye compares in a text of a hundred thousand; more differences than this are not looked for. */
const mostEdits = 2_000;

/**
 * Compares two texts by line, and changed lines by word.
 * @returns the lines of both in order, a removed one above the added one that replaces it; null where the texts differ in
 * so many places that a comparison would take seconds
 */
export function diffText(before: string, after: string): DiffRow[] | null {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(old, fresh, { maxEditLength: mostEdits });
  if (parts === undefined) return null;
  const rows: DiffRow[] = [];
  let [left, right] = [0, 0];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at];
    if (part === undefined) continue;
    if (!part.added && !part.removed) {
      for (const line of part.value) {
        left += 1;
        right += 1;
        rows.push({ kind: "same", before: left, after: right, words: [{ text: line, changed: false }] });
      }
      continue;
    }
    const next = parts[at + 1];
    const pair =
      next !== undefined && next.added !== part.added && (next.added || next.removed) ? next : null;
    const removed = part.removed ? part.value : (pair?.value ?? []);
    const added = part.added ? part.value : (pair?.value ?? []);
    if (pair !== null) at += 1;
    const words = removed.map((line, index) => wordsOf(line, added[index]));
    for (const [index, line] of removed.entries()) {
      left += 1;
      const pieces = words[index]?.before ?? [{ text: line, changed: false }];
      rows.push({ kind: "removed", before: left, after: null, words: pieces });
    }
    for (const [index, line] of added.entries()) {
      right += 1;
      const pieces = words[index]?.after ?? [{ text: line, changed: false }];
      rows.push({ kind: "added", before: null, after: right, words: pieces });
    }
  }
  return rows;
}

interface Pair {
  readonly before: readonly Word[];
  readonly after: readonly Word[];
}

/** Two lines by word, each side with its own words; null where `wordDiff` says nothing of them. */
function wordsOf(before: string, after: string | undefined): Pair | null {
  const parts = after === undefined ? null : wordDiff(before, after);
  if (parts === null) return null;
  const side = (own: WordPart["kind"], other: WordPart["kind"]) =>
    joined(
      parts.filter(({ kind }) => kind !== other).map(({ kind, text }) => ({ text, changed: kind === own })),
    );
  return { before: side("removed", "added"), after: side("added", "removed") };
}

function joined(words: readonly Word[]): Word[] {
  const result: Word[] = [];
  for (const word of words) {
    const last = result.at(-1);
    if (last?.changed === word.changed) result.splice(-1, 1, { ...last, text: last.text + word.text });
    else result.push(word);
  }
  return result;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/\r?\n/);
}

/** A piece of a line: as it was, put in, or taken out. */
export interface WordPart {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Longer lines are not compared word by word, and very different ones neither. */
const longest = 5_000;
const mostWordEdits = 300;

/** A changed line word by word; null where that would say nothing, as the whole of it is another one, or would take long. */
export function wordDiff(before: string, after: string): readonly WordPart[] | null {
  if (before.length > longest || after.length > longest) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostWordEdits });
  if (parts === undefined) return null;
  const same = parts.filter((part) => !part.added && !part.removed);
  const kept = same.reduce((sum, part) => sum + part.value.trim().length, 0);
  const gone = parts.reduce((sum, part) => sum + (part.removed ? part.value.length : 0), 0);
  if (kept * 3 < Math.min(before.length, after.length) || gone > kept * 3) return null;
  return parts.map((part) => ({
    kind: part.added ? "added" : part.removed ? "removed" : "same",
    text: part.value,
  }));
}
