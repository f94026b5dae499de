import { indexedText, shownText } from "./normal-text.ts";

/** One page of a document, or all of it where it has no pages. */
export interface DocumentPage {
  /** From 1; null where the document has no pages. */
  readonly page: number | null;
  /** As `normalText` makes it. Lines that begin with # and a space are headings. */
  readonly text: string;
}

/** A part of a document that is found and shown as a whole. */
export interface Passage {
  readonly page: number | null;
  /** Differs from `page` where a sentence runs on to the next page. */
  readonly pageEnd: number | null;
  /** The heading above it. */
  readonly section: string | null;
  /** As it is shown. */
  readonly content: string;
  /** What is indexed, where it differs. */
  readonly words: string | null;
}

/** Characters. A passage ends at the first good place after `enough`, and is never longer than `most`. */
const enough = 800;
const maxLength = 1_400;

/** A part of a page that is never divided: a sentence, a short paragraph, a line of a heading. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly heading: string | null;
  /** Whether a blank line, or nothing, stands before it. */
  readonly opens: boolean;
}

/**
 * Cuts a document into passages, in its order: together they hold all of its text once. Besides them there is one more
 * for each sentence that runs on to the next page, right after the last one of its page.
 */
export function cutPassages(pages: readonly DocumentPage[]): Passage[] {
  const passages: Passage[] = [];
  let section: string | null = null;
  for (const [index, { page, text }] of pages.entries()) {
    const pieces = cutPieces(text);
    const add = (from: Piece, to: Piece) => {
      passages.push(makePassage(text.slice(from.start, to.end), page, page, section));
    };
    let first: Piece | null = null;
    let last: Piece | null = null;
    for (const piece of pieces) {
      if (first !== null && last !== null) {
        const size = last.end - first.start;
        const goodPlace = piece.heading !== null ? size > enough / 4 : size > enough && piece.opens;
        if (goodPlace || piece.end - first.start > maxLength) {
          add(first, last);
          first = null;
        }
      }
      // A heading that stands in the middle of a short passage names it from there on.
      if (piece.heading !== null && first === null) section = piece.heading;
      first ??= piece;
      last = piece;
    }
    if (first !== null && last !== null) add(first, last);
    const next = pages[index + 1];
    if (last !== null && next !== undefined) {
      const bridge = bridgeOf(text.slice(last.start, last.end), next.text);
      if (bridge !== null) passages.push(makePassage(bridge, page, next.page, section));
    }
  }
  return passages;
}

function makePassage(
  text: string,
  page: number | null,
  pageEnd: number | null,
  section: string | null,
): Passage {
  return { page, pageEnd, section, content: shownText(text).trim(), words: indexedText(text.trim()) };
}

/** The end of a page with the beginning of the next, where a sentence runs on. */
function bridgeOf(tail: string, nextText: string): string | null {
  if (/[.!?:;…。！？][\p{Pe}\p{Pf}"']*\s*$/u.test(tail)) return null;
  const [head] = cutPieces(nextText);
  if (head === undefined || head.heading !== null) return null;
  const broken = /\p{L}[-\u2010]$/u.test(tail.trimEnd());
  const begins = nextText.slice(head.start, head.end).trimStart();
  return broken ? `${tail.trimEnd().slice(0, -1)}\u00ad${begins}` : `${tail.trimEnd()} ${begins}`;
}

/** All of a text as pieces, without gaps between them but what is not shown. */
function cutPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { start, end } of paragraphsOf(text)) {
    const paragraph = text.slice(start, end);
    const title =
      /^#{1,6} +(.+)/
        .exec(paragraph.trim())?.[1]
        ?.slice(0, 300)
        .replace(/ #{1,6}$/, "") ?? null;
    const spans = end - start <= enough ? [{ start, end }] : sentencesOf(text, start, end);
    // Blanks behind the last sentence are none: alone, they would be a passage of nothing.
    const shown = spans.filter((span) => shownText(text.slice(span.start, span.end)).trim() !== "");
    for (const [index, span] of shown.entries()) {
      pieces.push({ ...span, opens: index === 0, heading: index === 0 ? title : null });
    }
  }
  return pieces;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Paragraphs; the line of a heading is one of its own. Each begins right where the one before it ends. */
function paragraphsOf(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let filled = false;
  const close = (end: number) => {
    if (filled) spans.push({ start, end });
    if (filled) start = end;
    filled = false;
  };
  for (let line = 0; line < text.length; ) {
    const found = text.indexOf("\n", line);
    const end = found === -1 ? text.length : found;
    const blank = text.slice(line, end).trim() === "";
    const heading = /^#{1,6} /.test(text.slice(line, line + 8));
    if (blank || heading) close(line);
    filled ||= !blank;
    if (heading) close(end);
    line = end + 1;
  }
  close(text.length);
  return spans;
}

function sentencesOf(text: string, start: number, end: number): Span[] {
  const spans: Span[] = [];
  let from = start;
  const close = (to: number) => {
    spans.push(...divideLong(text, from, to));
    from = to;
  };
  for (const { index } of text
    .slice(start, end)
    .matchAll(/(?<=[.!?…][\p{Pe}\p{Pf}"']?)\s+|(?<=[。！？])/gu)) {
    if (start + index > from) close(start + index);
  }
  if (from < end) close(end);
  return spans;
}

/** A sentence without end is cut at a space, or anywhere, but never within a letter. */
function divideLong(text: string, start: number, end: number): Span[] {
  const spans: Span[] = [];
  let from = start;
  while (end - from > enough) {
    // Not further back than it is of use: where there is no space at all, that would be the whole text each time.
    const space = text.slice(from, from + enough + 1).lastIndexOf(" ");
    let to = from + (space > enough / 2 ? space : enough);
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to--;
    spans.push({ start: from, end: to });
    from = to;
  }
  spans.push({ start: from, end });
  return spans;
}
