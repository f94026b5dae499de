import type { ReactNode } from "react";
import type { Words } from "../../../lib/diff/words.ts";
import { cx } from "../../../ui/cx.ts";

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
