import { diffArrays } from "diff";
import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { shownText } from "../shownText.ts";
import { counted } from "../words.ts";

/** A piece of a line: as it was, put in, or taken out. */
export interface WordPart {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Longer texts are not compared word by word, and very different ones neither. */
const longest = 20_000;
const mostEdits = 300;
const word = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*|\s+|./gu;

/** A changed line word by word; null where that would say nothing, as the whole of it is another one, or would take long. */
export function wordDiff(before: string, after: string): readonly WordPart[] | null {
  if (before.length > longest || after.length > longest) return null;
  const changes = diffArrays(before.match(word) ?? [], after.match(word) ?? [], { maxEditLength: mostEdits });
  const parts = changes?.map(
    ({ added, removed, value }): WordPart => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    }),
  );
  if (parts === undefined) return null;
  const sum = (kind: WordPart["kind"], lengthOf: (text: string) => number) =>
    parts.reduce((all, part) => all + (part.kind === kind ? lengthOf(part.text) : 0), 0);
  const kept = sum("same", (text) => text.trim().length);
  const gone = sum("removed", (text) => text.length);
  return kept * 3 < Math.min(before.length, after.length) || gone > kept * 3 ? null : parts;
}

/** A line in pieces, each with whether the other line does not have it. */
export type Words = readonly (readonly [text: string, isChanged: boolean])[];

/** Two lines with what differs marked; null where `wordDiff` says nothing of them. */
export function changedWords(a: string, b: string): { a: Words; b: Words } | null {
  const parts = wordDiff(a, b);
  if (parts === null) return null;
  const side = (other: WordPart["kind"]): Words =>
    parts.filter(({ kind }) => kind !== other).map(({ kind, text }) => [text, kind !== "same"]);
  return { a: side("added"), b: side("removed") };
}

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

type Props = {
  part: ShownPart;
  /** Of `changedWords`; absent: the text as it is. */
  words: Words | undefined;
  /** The ground of those that differ. */
  tint: string;
  /** How a text is written; as it is where this is not given. */
  write?: ((text: string) => ReactNode) | undefined;
};

/** The part of a text in words, with those marked that the other text does not have, and how much of it is not shown. */
export function MarkedWords({ part, words = [[part.text, false]], tint, write }: Props) {
  return (
    <>
      <LeftOut count={part.before} />
      {words.map(([text, isChanged], at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a word keeps no state and may stand twice: its place is all that tells it apart
          key={at}
          className={isChanged ? cx("rounded-[2px]", tint) : undefined}
        >
          {write ? write(shownText(text)) : shownText(text)}
        </span>
      ))}
      <LeftOut count={part.after} />
    </>
  );
}

function LeftOut({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="font-normal font-text text-muted text-secondary">
      {" "}
      … {counted(count, "character")} …{" "}
    </span>
  );
}
