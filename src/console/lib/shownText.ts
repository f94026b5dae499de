import { shownName } from "./shownName.ts";

/** What holds a stretch of text in a direction, up to the end of its line where nothing ends it before. */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * Somebody else's text as it may be shown: what would turn the letters or the order of what follows becomes a mark, as in
 * names (C-08). Unlike there, the marks for left and right that Hebrew and Arabic are written with stay: they turn no letter.
 */
export const shownText = (text: string): string => text.replaceAll(turning, (one) => shownName(one));

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Somebody else's words as a part of our sentence, where that is one text: they keep their reading direction to themselves, as in
 * a `bdi` (C-08). A `bdi` around the sentence would give it the direction of what it begins with.
 */
export function isolated(words: string): string {
  const text = shownText(words);
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
