import { plainText } from "../../../lib/ansi.ts";
import { regexReach } from "../../runs/index.ts";

/** What is looked for, without regard to case. */
export interface SearchQuery {
  readonly text: string;
  readonly regex: boolean;
}

/** From and to, in the letters of a text. */
export type Mark = readonly [from: number, to: number];

/** A line of text around what was found in it. */
export interface Excerpt {
  readonly text: string;
  /** In order, without overlaps; none where a hit has no letters or cannot be placed. */
  readonly marks: readonly Mark[];
}

/** Where a line has what is looked for; null where it has not. */
export type Matcher = (line: string) => readonly Mark[] | null;

/** A longer line is cut around its first hit, with so much before it. */
const longest = 320;
const before = 80;
const mostMarks = 20;

/** @throws SyntaxError for a pattern that is none */
export function makeMatcher({ text, regex }: SearchQuery): Matcher {
  if (regex) {
    const pattern = new RegExp(text, "gi");
    return (line) => patternMarks(line.length > regexReach ? line.slice(0, regexReach) : line, pattern);
  }
  const wanted = text.toLowerCase();
  return (line) => {
    const low = line.toLowerCase();
    if (!low.includes(wanted)) return null;
    // Lower case may have another length ("İ"): then marks would be off, so nothing is marked.
    if (low.length !== line.length || wanted.length !== text.length) return [];
    const marks: Mark[] = [];
    for (let at = low.indexOf(wanted); at >= 0 && marks.length < mostMarks; ) {
      marks.push([at, at + wanted.length]);
      at = low.indexOf(wanted, at + wanted.length);
    }
    return marks;
  };
}

function patternMarks(line: string, pattern: RegExp): readonly Mark[] | null {
  const marks: Mark[] = [];
  let isHit = false;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    isHit = true;
    const to = match.index + match[0].length;
    if (match[0].length > 0) marks.push([match.index, to]);
    else pattern.lastIndex += 1;
    if (marks.length === mostMarks || pattern.lastIndex > line.length) break;
  }
  return isHit ? marks : null;
}

/** A line as a result shows it: without what only indents it, and cut where it is long. */
export function excerptOf(line: string, marks: readonly Mark[]): Excerpt {
  const first = marks[0]?.[0] ?? 0;
  const indent = line.length - line.trimStart().length;
  const from = line.length - indent > longest ? Math.max(indent, first - before) : indent;
  const to = Math.min(line.trimEnd().length, from + longest);
  const isCutBefore = from > indent;
  const shift = (isCutBefore ? 1 : 0) - from;
  const text = `${isCutBefore ? "…" : ""}${line.slice(from, to)}${to < line.trimEnd().length ? "…" : ""}`;
  const shown = marks
    .filter((mark) => mark[0] >= from && mark[0] < to)
    .map((mark): Mark => [mark[0] + shift, Math.min(mark[1], to) + shift]);
  return { text, marks: shown };
}

/** What was found in a text of several lines. */
export interface TextHit extends Excerpt {
  /** How many lines of the text have it. */
  readonly lines: number;
}

/** Looks through a text line by line. @returns its first line that fits, and how many do; null for none */
export function findInText(text: string, matches: Matcher): TextHit | null {
  let found: Excerpt | null = null;
  let lines = 0;
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const line = plainText(text.slice(from, to));
    const marks = matches(line);
    if (marks) {
      lines += 1;
      found ??= excerptOf(line, marks);
    }
    from = to + 1;
  }
  return found && { ...found, lines };
}
