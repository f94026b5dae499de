import { type Folded, foldSteps } from "./fold.ts";

/** A found place with some text around it, as it was written. */
export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Of what is shown, in UTF-16 units. */
const beforeLength = 80;
const matchLength = 400;
const afterLength = 160;
/** No sign that people see as one is longer, or it may be cut. */
const signLength = 32;

const signs = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The first place of a text that has what is searched for, in steps.
 * @param wanted folded
 * @returns null where there is none
 */
export function* findIn(text: string, wanted: string): Generator<void, Excerpt | null> {
  const folded = yield* foldSteps(text);
  const at = folded.text.indexOf(wanted);
  return at === -1 ? null : around(text, folded, at, at + wanted.length);
}

function around(text: string, folded: Folded, begin: number, end: number): Excerpt {
  const from = folded.from(begin);
  const to = folded.to(end);
  return {
    before: last(text.slice(Math.max(0, from - beforeLength - signLength), from), beforeLength),
    match: first(text.slice(from, Math.min(to, from + matchLength + signLength)), matchLength),
    after: first(text.slice(to, to + afterLength + signLength), afterLength),
  };
}

/** As many whole signs from the beginning as fit. */
function first(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = 0;
  for (const { index, segment } of signs.segment(text)) {
    if (index + segment.length > length) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** As many whole signs from the end as fit. */
function last(text: string, length: number): string {
  if (text.length <= length) return text;
  for (const { index } of signs.segment(text)) {
    // The first one may be a part: the text begins in the middle.
    if (index > 0 && text.length - index <= length) return text.slice(index);
  }
  return "";
}
