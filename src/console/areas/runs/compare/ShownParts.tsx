import type { ReactNode } from "react";
import type { Words } from "../../../lib/diff/items.ts";
import { counted } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";

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

/** Says how much of a long text is not shown; nothing where all of it is. */
export function LeftOut({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="font-normal font-text text-muted text-secondary">
      {" "}
      … {counted(count, "character")} …{" "}
    </span>
  );
}

type Props = {
  words: Words;
  /** The ground of those that differ. */
  tint: string;
  /** How a text is written; as it is where this is not given. */
  write?: (text: string) => ReactNode;
};

/** A text in words, with those marked that the other text does not have. */
export function MarkedWords({ words, tint, write }: Props) {
  return words.map(([text, isChanged], at) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: a word keeps no state and may stand twice: its place is all that tells it apart
      key={at}
      className={isChanged ? cx("rounded-[2px]", tint) : undefined}
    >
      {write ? write(text) : text}
    </span>
  ));
}
