import { unspacedIn } from "./normal-text.ts";

/** A part of a text, in characters. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
}

const maxMarks = 100;

/**
 * Where words of a question stand in a passage, for people: words as they are, and words that begin with the same stem,
 * which is what the index finds. The index alone decides what is found.
 */
export function highlightWords(passage: string, question: string): Highlight[] {
  const asked = question.replaceAll(/(^|\s)-\S+/g, " ");
  const stems = new Set(wordsOf(asked).map(({ word }) => stemOf(word)));
  // Letters alone; where one begins with another the longer one counts.
  const parts = [...new Set(unspacedIn(asked))].sort((a, b) => b.length - a.length);
  const inWords = parts.length === 0 ? null : new RegExp(parts.join("|"), "gu");
  const marks: Highlight[] = [];
  for (const { word, start, end } of wordsOf(passage)) {
    if (marks.length >= maxMarks) break;
    if (!stems.has(stemOf(word))) {
      // It may be a whole sentence.
      for (const { 0: part, index } of inWords === null ? [] : passage.slice(start, end).matchAll(inWords))
        marks.push({ start: start + index, end: start + index + part.length });
      continue;
    }
    const last = marks.at(-1);
    // Words that stand together are one mark.
    if (last !== undefined && /^[^\p{L}\p{N}\n]{1,2}$/u.test(passage.slice(last.end, start))) {
      marks[marks.length - 1] = { start: last.start, end };
    } else marks.push({ start, end });
  }
  return marks.slice(0, maxMarks);
}

function wordsOf(text: string): { word: string; start: number; end: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => {
    return { word: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length };
  });
}

/** Endings that English words change; a word keeps three letters at least. */
function stemOf(word: string): string {
  return word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s|ly|e)$/u, "");
}
