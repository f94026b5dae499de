/** Whether a text has nothing in it that markdown would change, so that it can be shown at once, without a worker. */
export function isPlain(text: string): boolean {
  if (text.length > 20_000) return false;
  if (/[*_`#[\]<>|~\\&]|https?:|www\.|@/.test(text)) return false;
  // Lists, rules, underlined headings, indented code and forced line ends.
  return !/^(?: {0,3}(?:[-+=]|\d+[.)])| {4}|\t)| {2}$/m.test(text);
}

/** The paragraphs of a plain text. */
export function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n\s*\n/).filter((one) => one.trim() !== "");
}
