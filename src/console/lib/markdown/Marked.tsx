import { cx } from "../../ui/cx.ts";
import { markHits } from "./marks.ts";

/** What is searched for, and whether this is where "next" went to. */
export interface Find {
  readonly text: string;
  readonly isCurrent: boolean;
}

export const noFind: Find = { text: "", isCurrent: false };

/** A text with the places marked that are searched for. */
export function Marked({ text, find }: { text: string; find: Find }) {
  if (find.text === "") return text;
  return markHits(text, find.text).map((part, at) =>
    part.isHit ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity and never move
        key={at}
        className={cx(
          "rounded-mark",
          find.isCurrent ? "bg-hit-current-bg text-on-hit" : "bg-hit-bg text-default",
        )}
      >
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
