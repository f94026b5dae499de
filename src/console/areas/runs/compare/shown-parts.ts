/** The part of a long text that is shown. */
export interface ShownPart {
  readonly text: string;
  /** How many characters are left out before and after it. */
  readonly before: number;
  readonly after: number;
}

/** What is shown before the first difference, at most. */
const mostLead = 120;

/**
 * Of two texts the part that shows where they differ: their beginnings, or where those are equal for long, what follows.
 * @param most characters of each that are shown
 */
export function shownParts(a: string, b: string, most: number): { a: ShownPart; b: ShownPart } {
  const first = firstDifference(a, b);
  const lead = Math.min(mostLead, Math.floor(most / 2));
  const from = first + lead <= most ? 0 : first - lead;
  const part = (text: string): ShownPart => {
    const begin = Math.min(wholeCharacter(text, from), text.length);
    const end = wholeCharacter(text, Math.min(text.length, begin + most));
    return { text: text.slice(begin, end), before: begin, after: text.length - end };
  };
  return { a: part(a), b: part(b) };
}

function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

/** Not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
